-- Gives a claim up. KEYS[1]: the event. ARGV: the token. Answers 1, or 0 where the claim is lost. The token stays, for the next to exceed it.
local event = redis.call('HMGET', KEYS[1], 'state', 'token')
if event[2] ~= ARGV[1] or event[1] ~= 'claimed' then
  return 0
end
redis.call('HSET', KEYS[1], 'state', 'released')
redis.call('HDEL', KEYS[1], 'body', 'until', 'call')
return 1
