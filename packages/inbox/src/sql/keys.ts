import { body } from "./body.js";

/**
 * Key leases. Three locks on a key's row: to acquire, FOR UPDATE; to write what others wait for, FOR NO KEY UPDATE; a
 * handler's guard, FOR KEY SHARE, which keeps an acquisition away and nothing else.
 *
 * Functions switch `jit` off: the planner's costs for young tables are guesses, and compiling takes longer than they run.
 */
export const keys = (s: string): string => `
-- Locks the rows of keys in their order; makes those that are missing, so that two writers always meet.
CREATE FUNCTION ${s}.lock_keys(p_group integer, p_keys text[]) RETURNS void LANGUAGE plpgsql SET jit = off AS ${body(`
BEGIN
  INSERT INTO ${s}.message_key_lease (consumer_group_id, message_key)
  SELECT p_group, k FROM unnest(p_keys) k
  WHERE NOT EXISTS (SELECT 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = k)
  ORDER BY k ON CONFLICT DO NOTHING;
  PERFORM 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = ANY (p_keys)
  ORDER BY l.message_key FOR NO KEY UPDATE;
END`)};

-- Takes key leases for messages. The rows are locked first and checked by a later statement, whose snapshot is newer.
-- p_items: [{key, id, policy, compacted, token}], one for each key. A key that somebody else has locked is not waited for.
CREATE FUNCTION ${s}.gate(p_group integer, p_items jsonb, p_own uuid[], p_lease_ms float8)
RETURNS TABLE (message_key text, verdict text, fence text) LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_locked text[];
BEGIN
  INSERT INTO ${s}.message_key_lease AS n (consumer_group_id, message_key)
  SELECT p_group, i.key FROM jsonb_to_recordset(p_items) AS i (key text)
  WHERE NOT EXISTS (SELECT 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = i.key)
  ORDER BY i.key ON CONFLICT DO NOTHING;
  SELECT array_agg(t.message_key) INTO v_locked FROM (
    SELECT l.message_key FROM ${s}.message_key_lease l
    WHERE l.consumer_group_id = p_group AND l.message_key IN (SELECT i.key FROM jsonb_to_recordset(p_items) AS i (key text))
    ORDER BY l.message_key FOR UPDATE SKIP LOCKED
  ) t;
  RETURN QUERY
  WITH checked AS MATERIALIZED (
    SELECT i.key, i.token, CASE
      WHEN i.compacted AND i.id <> (
        SELECT h.message_id FROM ${s}.compaction_head h JOIN ${s}.consumer_group g ON g.stream_id = h.stream_id
        WHERE g.id = p_group AND h.message_key = i.key
      ) THEN 'superseded'
      WHEN i.policy = 'ordered' AND EXISTS (
        SELECT 1 FROM ${s}.exception_queue e
        WHERE e.consumer_group_id = p_group AND e.message_key = i.key AND e.message_id < i.id AND e.unresolved
      ) THEN 'predecessor_retry'
      WHEN i.key <> ALL (coalesce(v_locked, '{}')) OR (l.token <> i.token AND l.expires > ${s}.clock()) THEN 'key_lease_live'
      WHEN i.policy = 'ordered' AND ${s}.in_open_range(p_group, i.key, i.id, p_own) IS NOT NULL THEN 'predecessor_in_open_range'
      ELSE 'run' END AS verdict
    FROM jsonb_to_recordset(p_items) AS i (key text, id bigint, policy text, compacted boolean, token uuid)
    JOIN ${s}.message_key_lease l ON l.consumer_group_id = p_group AND l.message_key = i.key
  ), taken AS (
    -- A repetition of the same acquisition keeps its fence; who has to wait holds nothing.
    UPDATE ${s}.message_key_lease l SET
      token = CASE c.verdict WHEN 'run' THEN c.token END,
      expires = CASE c.verdict WHEN 'run' THEN ${s}.after_ms(p_lease_ms) END,
      fence = CASE WHEN l.token = c.token THEN l.fence
        ELSE greatest(l.fence, (SELECT g.fence_floor FROM ${s}.consumer_group g WHERE g.id = p_group)) + 1 END
    FROM checked c
    WHERE l.consumer_group_id = p_group AND l.message_key = c.key AND l.message_key = ANY (v_locked)
      AND (c.verdict = 'run' OR l.token = c.token)
    RETURNING l.message_key, l.fence
  )
  SELECT c.key, c.verdict, t.fence::text FROM checked c LEFT JOIN taken t ON t.message_key = c.key;
END`)};

-- Whether a key is held under this token; if so, nobody else acquires it before the transaction of the caller's ends.
CREATE FUNCTION ${s}.guard_key(p_group integer, p_key text, p_token uuid) RETURNS boolean
LANGUAGE plpgsql SET jit = off AS ${body(`
BEGIN
  PERFORM 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = p_key AND l.token = p_token
    AND l.expires > ${s}.clock() FOR KEY SHARE;
  RETURN FOUND;
END`)};

-- Gives keys back by token: [{key, token}].
CREATE FUNCTION ${s}.release_keys(p_group integer, p_release jsonb) RETURNS void LANGUAGE sql AS ${body(`
UPDATE ${s}.message_key_lease l SET token = NULL, expires = NULL
FROM jsonb_to_recordset(p_release) AS r (key text, token uuid)
WHERE l.consumer_group_id = p_group AND l.message_key = r.key AND l.token = r.token`)};

-- Lets the lowest unresolved message of each key run if it was deferred and nothing is in front of it any more. Its caller
-- has locked the keys. Notifies when a row can run that could not before.
CREATE FUNCTION ${s}.wake(p_group integer, p_keys text[]) RETURNS void LANGUAGE plpgsql SET jit = off AS ${body(`
BEGIN
  UPDATE ${s}.exception_queue e SET status = 'ready', can_run_after = ${s}.clock()
  FROM unnest(p_keys) k
  CROSS JOIN LATERAL (
    SELECT q.message_id, q.status FROM ${s}.exception_queue q
    WHERE q.consumer_group_id = p_group AND q.message_key = k AND q.unresolved ORDER BY q.message_id LIMIT 1
  ) f
  WHERE e.consumer_group_id = p_group AND e.message_id = f.message_id AND f.status = 'deferred'
    AND ${s}.in_open_range(p_group, k, f.message_id, '{}') IS NULL;
  IF FOUND OR EXISTS (
    SELECT 1 FROM unnest(p_keys) k JOIN ${s}.exception_queue q ON q.consumer_group_id = p_group AND q.message_key = k
      AND q.unresolved AND q.status = 'ready' AND q.can_run_after <= ${s}.clock()
  ) THEN
    PERFORM pg_notify(${s}.channel(), p_group::text);
  END IF;
END`)};

-- Deletes idle keys' rows, under a floor that keeps later fences above theirs.
CREATE FUNCTION ${s}.sweep_keys(p_group integer, p_limit integer) RETURNS integer LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_keys text[];
  v_fence bigint;
BEGIN
  SELECT array_agg(t.message_key), max(t.fence) INTO v_keys, v_fence FROM (
    SELECT l.message_key, l.fence FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.token IS NULL
    ORDER BY l.message_key LIMIT p_limit FOR UPDATE SKIP LOCKED
  ) t;
  UPDATE ${s}.consumer_group SET fence_floor = greatest(fence_floor, v_fence) WHERE id = p_group AND v_keys IS NOT NULL;
  DELETE FROM ${s}.message_key_lease WHERE consumer_group_id = p_group AND message_key = ANY (v_keys);
  RETURN coalesce(cardinality(v_keys), 0);
END`)};
`;
