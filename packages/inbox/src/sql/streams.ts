import { quoteText } from "@sinkwire/postgres";
import { body } from "./body.js";

/** Ids that one partition of the log holds: small enough to drop often, large enough to have few. */
const PARTITION_IDS = 1_000_000;

/**
 * Streams, groups, appends and the log's partitions. What creates tables and views runs with the rights of whoever
 * migrated: the role that appends and handles needs none to create.
 */
export const streams = (s: string): string => `
-- Keeps two partitions in front of the last id.
CREATE FUNCTION ${s}.make_partitions() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog AS ${body(`
DECLARE
  v_schema constant text := ${quoteText(s)};
  v_low bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('sinkwire partitions ' || v_schema, 0)) THEN
    RETURN;
  END IF;
  FOR v_low IN SELECT (last_value / ${PARTITION_IDS} + n) * ${PARTITION_IDS} FROM ${s}.message_id, generate_series(0, 2) n LOOP
    CONTINUE WHEN to_regclass(format('%s.message_log_%s', v_schema, v_low)) IS NOT NULL;
    -- Attached, not created in place: that would lock the log.
    EXECUTE format('CREATE TABLE %1$s.message_log_%2$s (LIKE %1$s.message_log INCLUDING CONSTRAINTS)', v_schema, v_low);
    EXECUTE format('ALTER TABLE %1$s.message_log ATTACH PARTITION %1$s.message_log_%2$s FOR VALUES FROM (%2$s) TO (%3$s)',
      v_schema, v_low, v_low + ${PARTITION_IDS});
  END LOOP;
END`)};
SELECT ${s}.make_partitions();

-- The stream of a name, made when there is none.
CREATE FUNCTION ${s}.open_stream(p_name text, p_compacts boolean) RETURNS TABLE (id integer, compacts boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS ${body(`
DECLARE
  v_id integer;
BEGIN
  INSERT INTO ${s}.stream AS t (name, compacts) VALUES (p_name, p_compacts) ON CONFLICT (name) DO NOTHING RETURNING t.id INTO v_id;
  IF v_id IS NOT NULL THEN
    EXECUTE format('CREATE VIEW %1$s.exception_queue_%2$s AS SELECT e.* FROM %1$s.exception_queue e
      WHERE e.consumer_group_id IN (SELECT g.id FROM %1$s.consumer_group g WHERE g.stream_id = %2$s)', ${quoteText(s)}, v_id);
  END IF;
  RETURN QUERY SELECT t.id, t.compacts FROM ${s}.stream t WHERE t.name = p_name;
END`)};

-- The group of a name, made when there is none. At the head: behind the last head that is proven, so that nothing that is
-- still being appended is lost to it.
CREATE FUNCTION ${s}.open_group(p_stream integer, p_name text, p_at_head boolean) RETURNS integer LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_id integer;
  v_start bigint := 0;
BEGIN
  SELECT g.id INTO v_id FROM ${s}.consumer_group g WHERE g.stream_id = p_stream AND g.name = p_name;
  IF v_id IS NULL THEN
    IF p_at_head THEN
      SELECT coalesce(max(g.proven), 0) INTO v_start FROM ${s}.consumer_group g WHERE g.stream_id = p_stream;
    END IF;
    INSERT INTO ${s}.consumer_group (stream_id, name, claimed, committed, proven)
    VALUES (p_stream, p_name, v_start, v_start, v_start) ON CONFLICT (stream_id, name) DO NOTHING;
    SELECT g.id INTO v_id FROM ${s}.consumer_group g WHERE g.stream_id = p_stream AND g.name = p_name;
  END IF;
  RETURN v_id;
END`)};

-- The transaction's id is taken before the ids: what the proof of a head rests on.
CREATE FUNCTION ${s}.append(p_stream integer, p_keys text[], p_policies text[], p_compacted boolean[], p_payloads bytea[])
RETURNS TABLE (id text) LANGUAGE plpgsql SET jit = off AS ${body(`
DECLARE
  v_ids bigint[];
BEGIN
  PERFORM pg_current_xact_id();
  SELECT array_agg(nextval(${quoteText(`${s}.message_id`)}) ORDER BY n) INTO v_ids FROM generate_subscripts(p_payloads, 1) n;
  INSERT INTO ${s}.message_log (stream_id, id, message_key, concurrency, compacted, payload, created)
  SELECT p_stream, u.id, u.message_key, u.concurrency, u.compacted, u.payload, ${s}.clock()
  FROM unnest(v_ids, p_keys, p_policies, p_compacted, p_payloads) AS u (id, message_key, concurrency, compacted, payload);
  INSERT INTO ${s}.compaction_head AS h (stream_id, message_key, message_id)
  SELECT p_stream, u.message_key, max(u.id) FROM unnest(v_ids, p_keys, p_compacted) AS u (id, message_key, compacted)
  WHERE u.compacted GROUP BY u.message_key ORDER BY u.message_key
  ON CONFLICT (stream_id, message_key) DO UPDATE SET message_id = greatest(h.message_id, excluded.message_id);
  -- Ids have reached the partition before the last.
  IF to_regclass(format('%s.message_log_%s', ${quoteText(s)}, (v_ids[cardinality(v_ids)] / ${PARTITION_IDS} + 1) * ${PARTITION_IDS})) IS NULL THEN
    PERFORM ${s}.make_partitions();
  END IF;
  RETURN QUERY SELECT v::text FROM unnest(v_ids) v;
END`)};
`;
