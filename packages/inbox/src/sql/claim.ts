import { body, MESSAGE, MESSAGE_COLUMNS } from "./body.js";

/** An expired range is claimed again so often; the next time it is split into rows. */
const MAX_RECLAIMS = 3;

/** Ranges: the proof of a head, claims, the split of a range that was reclaimed too often. */
export const claim = (s: string): string => `
-- What a message asks for in a group. A message without a key is always parallel.
CREATE FUNCTION ${s}.policy_of(p_key text, p_override text, p_own text, p_default text) RETURNS text
LANGUAGE sql IMMUTABLE AS ${body(`
SELECT CASE WHEN p_key IS NULL THEN 'parallel' ELSE coalesce(p_override, p_own, p_default, 'parallel') END`)};

-- Whether an id of a key, lower than this one, is in an open range of the group, expired or not.
CREATE FUNCTION ${s}.in_open_range(p_group integer, p_key text, p_id bigint, p_own uuid[]) RETURNS bigint
LANGUAGE sql STABLE AS ${body(`
SELECT m.id FROM ${s}.range_lease r
JOIN ${s}.consumer_group g ON g.id = r.consumer_group_id
JOIN ${s}.message_log m ON m.stream_id = g.stream_id AND m.message_key = p_key AND m.id > r.low AND m.id <= r.high AND m.id < p_id
WHERE r.consumer_group_id = p_group AND r.low < p_id AND r.token <> ALL (p_own)
ORDER BY m.id LIMIT 1`)};

-- A head: the highest id that is visible, seen in one statement with a transaction id that the statement allocates. Whoever
-- appends a lower id has a lower transaction id, so the head is proven when a later snapshot has none of those.
CREATE FUNCTION ${s}.prove_head(p_group integer) RETURNS void LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_group ${s}.consumer_group;
  v_proven boolean;
BEGIN
  SELECT * INTO v_group FROM ${s}.consumer_group WHERE id = p_group;
  IF v_group.claimed < v_group.proven THEN
    RETURN;
  END IF;
  IF v_group.head IS NULL THEN
    PERFORM 1 FROM ${s}.message_log WHERE stream_id = v_group.stream_id AND id > v_group.proven LIMIT 1;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
      RAISE EXCEPTION 'a claim is a transaction of its own';
    END IF;
    SELECT max(id), pg_current_xact_id() INTO v_group.head, v_group.head_xid FROM ${s}.message_log
    WHERE stream_id = v_group.stream_id AND id > v_group.proven;
  END IF;
  SELECT pg_snapshot_xmin(pg_current_snapshot()) >= v_group.head_xid INTO v_proven;
  IF v_proven THEN
    UPDATE ${s}.consumer_group SET proven = greatest(proven, v_group.head), head = NULL, head_xid = NULL WHERE id = p_group;
  ELSE
    -- The older head is proven sooner.
    UPDATE ${s}.consumer_group SET head = v_group.head, head_xid = v_group.head_xid WHERE id = p_group AND head IS NULL;
  END IF;
END`)};

-- Rows instead of a range. Ordered ones wait, and wake puts the lowest of each key in front.
CREATE FUNCTION ${s}.split_range(p_group integer, p_token uuid, p_override text, p_default text) RETURNS void
LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_range ${s}.range_lease;
  v_keys text[];
BEGIN
  DELETE FROM ${s}.range_lease WHERE token = p_token RETURNING * INTO v_range;
  SELECT array_agg(DISTINCT m.message_key) INTO v_keys FROM ${s}.message_log m
  JOIN ${s}.consumer_group g ON g.stream_id = m.stream_id
  WHERE g.id = p_group AND m.id > v_range.low AND m.id <= v_range.high AND m.message_key IS NOT NULL;
  PERFORM ${s}.lock_keys(p_group, v_keys);
  INSERT INTO ${s}.exception_queue (consumer_group_id, message_id, message_key, concurrency, status, can_run_after)
  SELECT p_group, m.id, m.message_key, p.policy, CASE p.policy WHEN 'ordered' THEN 'deferred' ELSE 'ready' END, ${s}.clock()
  FROM ${s}.message_log m
  JOIN ${s}.consumer_group g ON g.stream_id = m.stream_id
  CROSS JOIN LATERAL (SELECT ${s}.policy_of(m.message_key, p_override, m.concurrency, p_default) AS policy) p
  WHERE g.id = p_group AND m.id > v_range.low AND m.id <= v_range.high;
  PERFORM ${s}.wake(p_group, v_keys);
END`)};

-- The range of this token, else an expired one, else (with p_new) the next one. A row without an id: no message is left in it.
CREATE FUNCTION ${s}.claim(
  p_group integer, p_token uuid, p_batch integer, p_lease_ms float8, p_new boolean, p_override text, p_default text
) RETURNS TABLE (low text, high text, reclaims integer, ${MESSAGE_COLUMNS}) LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_range ${s}.range_lease;
  v_group ${s}.consumer_group;
BEGIN
  SELECT * INTO v_range FROM ${s}.range_lease r WHERE r.token = p_token;
  LOOP
    EXIT WHEN v_range.token IS NOT NULL;
    SELECT * INTO v_range FROM ${s}.range_lease r WHERE r.consumer_group_id = p_group AND r.expires <= ${s}.clock()
    ORDER BY r.low LIMIT 1 FOR UPDATE SKIP LOCKED;
    EXIT WHEN NOT FOUND;
    IF v_range.reclaims < ${MAX_RECLAIMS} THEN
      UPDATE ${s}.range_lease r SET token = p_token, expires = ${s}.after_ms(p_lease_ms), reclaims = r.reclaims + 1
      WHERE r.token = v_range.token RETURNING r.* INTO v_range;
    ELSE
      PERFORM ${s}.split_range(p_group, v_range.token, p_override, p_default);
      RETURN;
    END IF;
  END LOOP;
  IF v_range.token IS NULL AND p_new THEN
    PERFORM ${s}.prove_head(p_group);
    PERFORM 1 FROM ${s}.consumer_group g WHERE g.id = p_group AND g.claimed < g.proven;
    IF FOUND THEN
      SELECT * INTO v_group FROM ${s}.consumer_group g WHERE g.id = p_group FOR UPDATE;
      v_range.low := v_group.claimed;
      SELECT max(t.id) INTO v_range.high FROM (
        SELECT m.id FROM ${s}.message_log m WHERE m.stream_id = v_group.stream_id AND m.id > v_group.claimed AND m.id <= v_group.proven
        ORDER BY m.id LIMIT p_batch
      ) t;
      IF v_range.high IS NULL THEN
        UPDATE ${s}.consumer_group g SET claimed = g.proven WHERE g.id = p_group;
      ELSE
        INSERT INTO ${s}.range_lease (token, consumer_group_id, low, high, expires)
        VALUES (p_token, p_group, v_range.low, v_range.high, ${s}.after_ms(p_lease_ms)) RETURNING * INTO v_range;
        UPDATE ${s}.consumer_group g SET claimed = v_range.high WHERE g.id = p_group;
      END IF;
    END IF;
  END IF;
  IF v_range.token IS NOT NULL THEN
    RETURN QUERY SELECT v_range.low::text, v_range.high::text, v_range.reclaims, ${MESSAGE}
    FROM ${s}.consumer_group g
    LEFT JOIN ${s}.message_log m ON m.stream_id = g.stream_id AND m.id > v_range.low AND m.id <= v_range.high
    WHERE g.id = p_group ORDER BY m.id;
  END IF;
END`)};
`;
