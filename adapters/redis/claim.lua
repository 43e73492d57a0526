-- Claims an event. KEYS[1]: the event. ARGV: SHA-256 of the body, lease and retention in milliseconds, a name for this call.
-- Answers the number of a webhook.ClaimOutcome and the token.
local CLAIMED, IN_FLIGHT, DONE, CONFLICT = 1, 2, 3, 4
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] -- microseconds: exact in a double until the year 2255

local event = redis.call('HMGET', KEYS[1], 'state', 'body', 'token', 'until', 'call')
local state, body, token, ends, call = event[1], event[2], event[3], event[4], event[5]

-- The client repeats a call whose answer it did not get: that call's claim is still its own.
if state == 'claimed' and call == ARGV[4] then
  return {CLAIMED, tonumber(token)}
end
if state == 'done' or (state == 'claimed' and now < tonumber(ends)) then
  if body ~= ARGV[1] then
    return {CONFLICT, 0}
  end
  return {state == 'done' and DONE or IN_FLIGHT, 0}
end

-- A token is the time, so that it also exceeds those of an event that has been forgotten since.
local fresh = now
if token and tonumber(token) >= fresh then
  fresh = tonumber(token) + 1
end
redis.call('HSET', KEYS[1], 'state', 'claimed', 'body', ARGV[1], 'token', string.format('%.0f', fresh),
  'until', string.format('%.0f', now + ARGV[2] * 1000), 'call', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3]) -- longer than the lease: a commit is good until another claim
return {CLAIMED, fresh}
