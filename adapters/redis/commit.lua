-- Marks an event as done. KEYS[1]: the event. ARGV: the token, the retention in milliseconds. Answers 1, or 0 where the claim is lost.
local event = redis.call('HMGET', KEYS[1], 'state', 'token')
if event[2] ~= ARGV[1] or event[1] == 'released' then
  return 0
end
if event[1] == 'claimed' then
  redis.call('HSET', KEYS[1], 'state', 'done')
  redis.call('HDEL', KEYS[1], 'until', 'call')
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
