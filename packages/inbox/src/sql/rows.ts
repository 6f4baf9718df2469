import { body, MESSAGE, MESSAGE_COLUMNS } from "./body.js";

/** The row path: messages that wait, run again, or were left running when their range was closed. */
export const rows = (s: string): string => `
-- Rows whose lease has ended: a failed attempt of whoever held it. p_dead: dead, or dead and holding.
CREATE FUNCTION ${s}.expire_rows(p_group integer, p_limit integer, p_max_retries integer, p_delay_ms float8, p_holds boolean)
RETURNS integer LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_row record;
  v_count integer := 0;
BEGIN
  FOR v_row IN
    SELECT e.message_id, e.message_key FROM ${s}.exception_queue e
    WHERE e.consumer_group_id = p_group AND e.status = 'inflight' AND e.lease_expires <= ${s}.clock()
    ORDER BY e.message_key, e.message_id LIMIT p_limit
  LOOP
    IF v_row.message_key IS NOT NULL THEN
      PERFORM ${s}.lock_keys(p_group, ARRAY[v_row.message_key]);
    END IF;
    UPDATE ${s}.exception_queue e SET attempts = e.attempts + 1,
      status = CASE WHEN e.attempts + 1 - e.delays > p_max_retries THEN 'dead' ELSE 'ready' END,
      holds = p_holds AND e.attempts + 1 - e.delays > p_max_retries,
      can_run_after = ${s}.after_ms(p_delay_ms), last_error = 'the lease of its worker ended', lease_token = NULL, lease_expires = NULL
    WHERE e.consumer_group_id = p_group AND e.message_id = v_row.message_id
      AND e.status = 'inflight' AND e.lease_expires <= ${s}.clock();
    IF FOUND THEN
      v_count := v_count + 1;
      PERFORM ${s}.wake(p_group, ARRAY[v_row.message_key]);
    END IF;
  END LOOP;
  RETURN v_count;
END`)};

-- Rows that may run now, each under the token of its place in p_tokens; of a key the lowest alone. Nothing in an open range is
-- exempt here, not even the caller's own.
CREATE FUNCTION ${s}.claim_rows(p_group integer, p_tokens uuid[], p_lease_ms float8)
RETURNS TABLE (token uuid, fence text, policy text, attempts integer, delays integer, ${MESSAGE_COLUMNS})
LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_ids bigint[];
  v_keys text[];
BEGIN
  SELECT array_agg(t.message_id), array_agg(t.message_key) FILTER (WHERE t.message_key IS NOT NULL AND t.policy <> 'parallel')
  INTO v_ids, v_keys FROM (
    SELECT e.message_id, e.message_key, e.concurrency AS policy FROM ${s}.exception_queue e
    WHERE e.consumer_group_id = p_group AND e.status = 'ready' AND e.can_run_after <= ${s}.clock()
      AND (e.concurrency = 'parallel' OR (
        NOT EXISTS (
          SELECT 1 FROM ${s}.message_key_lease l
          WHERE l.consumer_group_id = p_group AND l.message_key = e.message_key AND l.expires > ${s}.clock()
        ) AND NOT EXISTS (
          SELECT 1 FROM ${s}.exception_queue q
          WHERE q.consumer_group_id = p_group AND q.message_key = e.message_key AND q.unresolved AND q.message_id < e.message_id
            AND (e.concurrency = 'ordered' OR (q.status = 'ready' AND q.concurrency <> 'parallel' AND q.can_run_after <= ${s}.clock()))
        )))
    ORDER BY e.can_run_after, e.message_id LIMIT cardinality(p_tokens)
  ) t;
  IF v_ids IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO ${s}.message_key_lease (consumer_group_id, message_key)
  SELECT p_group, k FROM unnest(v_keys) k
  WHERE NOT EXISTS (SELECT 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = k)
  ORDER BY k ON CONFLICT DO NOTHING;
  SELECT array_agg(t.message_key) INTO v_keys FROM (
    SELECT l.message_key FROM ${s}.message_key_lease l
    WHERE l.consumer_group_id = p_group AND l.message_key = ANY (v_keys) ORDER BY l.message_key FOR UPDATE SKIP LOCKED
  ) t;
  PERFORM 1 FROM ${s}.exception_queue e WHERE e.consumer_group_id = p_group AND e.message_id = ANY (v_ids)
  ORDER BY e.message_id FOR NO KEY UPDATE SKIP LOCKED;
  UPDATE ${s}.exception_queue e SET status = 'superseded', can_run_after = ${s}.clock()
  FROM ${s}.consumer_group g
  JOIN ${s}.message_log m ON m.stream_id = g.stream_id AND m.compacted
  JOIN ${s}.compaction_head h ON h.stream_id = g.stream_id AND h.message_key = m.message_key
  WHERE g.id = p_group AND m.id = ANY (v_ids) AND m.message_key = ANY (v_keys) AND h.message_id <> m.id
    AND e.consumer_group_id = p_group AND e.message_id = m.id AND e.status = 'ready';
  RETURN QUERY
  WITH free AS MATERIALIZED (
    SELECT e.message_id, e.message_key, e.concurrency, p_tokens[row_number() OVER (ORDER BY e.can_run_after, e.message_id)] AS token
    FROM ${s}.exception_queue e
    WHERE e.consumer_group_id = p_group AND e.message_id = ANY (v_ids) AND e.status = 'ready' AND e.can_run_after <= ${s}.clock()
      AND (e.concurrency = 'parallel' OR (
        e.message_key = ANY (v_keys)
        AND NOT EXISTS (
          SELECT 1 FROM ${s}.message_key_lease l
          WHERE l.consumer_group_id = p_group AND l.message_key = e.message_key AND l.expires > ${s}.clock()
        ) AND (e.concurrency = 'exclusive' OR (
          NOT EXISTS (
            SELECT 1 FROM ${s}.exception_queue q WHERE q.consumer_group_id = p_group AND q.message_key = e.message_key
              AND q.unresolved AND q.message_id < e.message_id
          ) AND ${s}.in_open_range(p_group, e.message_key, e.message_id, '{}') IS NULL))))
  ), keys AS (
    UPDATE ${s}.message_key_lease l SET token = f.token, expires = ${s}.after_ms(p_lease_ms),
      fence = greatest(l.fence, (SELECT g.fence_floor FROM ${s}.consumer_group g WHERE g.id = p_group)) + 1
    FROM free f WHERE f.concurrency <> 'parallel' AND l.consumer_group_id = p_group AND l.message_key = f.message_key
    RETURNING l.message_key, l.fence
  ), started AS (
    UPDATE ${s}.exception_queue e SET status = 'inflight', lease_token = f.token, lease_expires = ${s}.after_ms(p_lease_ms)
    FROM free f WHERE e.consumer_group_id = p_group AND e.message_id = f.message_id
    RETURNING e.message_id, e.message_key, e.concurrency, e.attempts, e.delays, e.lease_token
  )
  SELECT t.lease_token, k.fence::text, t.concurrency, t.attempts, t.delays, ${MESSAGE}
  FROM started t
  LEFT JOIN keys k ON k.message_key = t.message_key
  JOIN ${s}.consumer_group g ON g.id = p_group
  LEFT JOIN ${s}.message_log m ON m.stream_id = g.stream_id AND m.id = t.message_id
  ORDER BY t.message_id;
END`)};

-- Writes what became of a row that ran, by its token: no row comes back when it is somebody else's by now. p_status: null is
-- success. Once it is resolved, the message behind it goes on under the same token (p_chain): its row comes back with an id.
CREATE FUNCTION ${s}.finish_row(
  p_group integer, p_id bigint, p_key text, p_token uuid, p_status text, p_holds boolean, p_attempts integer, p_delays integer,
  p_delay_ms float8, p_error text, p_chain boolean, p_keep boolean, p_lease_ms float8
) RETURNS TABLE (token uuid, fence text, policy text, attempts integer, delays integer, ${MESSAGE_COLUMNS})
LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_next ${s}.exception_queue;
  v_fence bigint;
BEGIN
  IF p_key IS NOT NULL THEN
    PERFORM ${s}.lock_keys(p_group, ARRAY[p_key]);
  END IF;
  IF p_status IS NULL THEN
    DELETE FROM ${s}.exception_queue e
    WHERE e.consumer_group_id = p_group AND e.message_id = p_id AND e.lease_token = p_token AND e.status = 'inflight';
  ELSE
    UPDATE ${s}.exception_queue e SET status = p_status, holds = p_holds, attempts = p_attempts, delays = p_delays,
      can_run_after = ${s}.after_ms(p_delay_ms), last_error = p_error, lease_token = NULL, lease_expires = NULL
    WHERE e.consumer_group_id = p_group AND e.message_id = p_id AND e.lease_token = p_token AND e.status = 'inflight';
  END IF;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_key IS NOT NULL THEN
    IF p_chain THEN
      SELECT l.fence INTO v_fence FROM ${s}.message_key_lease l
      WHERE l.consumer_group_id = p_group AND l.message_key = p_key AND l.token = p_token AND l.expires > ${s}.clock();
      SELECT * INTO v_next FROM ${s}.exception_queue e
      WHERE e.consumer_group_id = p_group AND e.message_key = p_key AND e.unresolved ORDER BY e.message_id LIMIT 1;
      IF v_fence IS NOT NULL AND v_next.status = 'deferred' AND ${s}.in_open_range(p_group, p_key, v_next.message_id, '{}') IS NULL THEN
        UPDATE ${s}.exception_queue e SET status = 'inflight', lease_token = p_token, lease_expires = ${s}.after_ms(p_lease_ms)
        WHERE e.consumer_group_id = p_group AND e.message_id = v_next.message_id;
        UPDATE ${s}.message_key_lease l SET expires = ${s}.after_ms(p_lease_ms)
        WHERE l.consumer_group_id = p_group AND l.message_key = p_key;
        RETURN QUERY SELECT p_token, v_fence::text, v_next.concurrency, v_next.attempts, v_next.delays, ${MESSAGE}
        FROM ${s}.consumer_group g
        JOIN ${s}.message_log m ON m.stream_id = g.stream_id AND m.id = v_next.message_id WHERE g.id = p_group;
        RETURN;
      END IF;
    END IF;
    -- The handler that did not return in time keeps its key until it does, or until its lease ends.
    IF NOT p_keep THEN
      PERFORM ${s}.release_keys(p_group, jsonb_build_array(jsonb_build_object('key', p_key, 'token', p_token)));
    END IF;
    PERFORM ${s}.wake(p_group, ARRAY[p_key]);
  END IF;
  RETURN QUERY SELECT p_token, NULL::text, NULL::text, NULL::integer, NULL::integer, NULL::text, NULL::text, NULL::text, NULL::boolean,
    NULL::bytea, NULL::float8;
END`)};

-- A key that is given back outside of a range: its handler returned late, or its chain ended.
CREATE FUNCTION ${s}.release_key(p_group integer, p_key text, p_token uuid) RETURNS void LANGUAGE plpgsql SET jit = off AS ${body(`
BEGIN
  PERFORM ${s}.lock_keys(p_group, ARRAY[p_key]);
  PERFORM ${s}.release_keys(p_group, jsonb_build_array(jsonb_build_object('key', p_key, 'token', p_token)));
  PERFORM ${s}.wake(p_group, ARRAY[p_key]);
END`)};

-- The poll's net: wakes deferred rows whose wake-up was lost; the lowest unresolved row of each key alone is looked at.
CREATE FUNCTION ${s}.wake_lost(p_group integer, p_limit integer) RETURNS integer LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_keys text[];
BEGIN
  WITH RECURSIVE lowest AS (
    (SELECT e.message_key, e.message_id, e.status FROM ${s}.exception_queue e
     WHERE e.consumer_group_id = p_group AND e.unresolved AND e.message_key IS NOT NULL
     ORDER BY e.message_key, e.message_id LIMIT 1)
    UNION ALL
    SELECT n.* FROM lowest l CROSS JOIN LATERAL (
      SELECT e.message_key, e.message_id, e.status FROM ${s}.exception_queue e
      WHERE e.consumer_group_id = p_group AND e.unresolved AND e.message_key > l.message_key
      ORDER BY e.message_key, e.message_id LIMIT 1
    ) n
  )
  SELECT array_agg(t.message_key) INTO v_keys FROM (
    SELECT l.message_key FROM lowest l WHERE l.status = 'deferred'
      AND ${s}.in_open_range(p_group, l.message_key, l.message_id, '{}') IS NULL LIMIT p_limit
  ) t;
  IF v_keys IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM ${s}.lock_keys(p_group, v_keys);
  PERFORM ${s}.wake(p_group, v_keys);
  RETURN cardinality(v_keys);
END`)};
`;
