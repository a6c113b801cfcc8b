/**
 * What the double puts in front of Postgres' own catalog: Redshift's views under their documented names and columns,
 * its functions, and types that Postgres lacks. All answers come from the database itself.
 */
export const redshiftViews = `
  create schema redshift_double;
  set search_path = redshift_double;
  create type super; create type geometry; create type varbyte;
  ${['super', 'geometry', 'varbyte']
    .map(
      type => `
  create function ${type}_in(cstring) returns ${type} as 'textin' language internal immutable strict;
  create function ${type}_out(${type}) returns cstring as 'textout' language internal immutable strict;
  create type ${type} (input = ${type}_in, output = ${type}_out, like = text);`,
    )
    .join('\n')}
  create function json_parse(value text) returns super language sql immutable
    as $$ select replace(replace((value::jsonb)::text, ': ', ':'), ', ', ',')::super $$;
  create function st_geomfromtext(value text) returns geometry language sql immutable
    as $$ select '0101000000000000000000F03F0000000000000040'::geometry $$;
  create function to_varbyte(value text, form text) returns varbyte language sql immutable
    as $$ select lower(value)::varbyte $$;
  create function len(value text) returns integer language sql immutable as $$ select length(value) $$;
  create function getdate() returns timestamp language sql stable as $$ select now()::timestamp(0) $$;
  create function dateadd(part text, amount integer, moment timestamp) returns timestamp language sql immutable
    as $$ select moment + amount * case part when 'quarter' then interval '3 months'
      else ('1 ' || part)::interval end $$;
  create function datediff(part text, a timestamp, b timestamp) returns bigint language sql immutable as $$
    select case part
      when 'year' then extract(year from b)::int - extract(year from a)::int
      when 'month' then (extract(year from b)::int - extract(year from a)::int) * 12
        + extract(month from b)::int - extract(month from a)::int
      when 'day' then b::date - a::date
      when 'millisecond' then floor(extract(epoch from b) * 1000) - floor(extract(epoch from a) * 1000)
      else floor(extract(epoch from b)) - floor(extract(epoch from a)) end::bigint $$;
  create function sha2(value text, bits integer) returns text language sql immutable
    as $$ select encode(sha256(convert_to(value, 'UTF8')), 'hex') $$;
  create function version() returns text language sql immutable as
    $$ select 'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.77467'::text $$;
  create function current_schemas(implicit boolean) returns name[] language sql stable
    as $$ select array_remove(pg_catalog.current_schemas(implicit), 'redshift_double') $$;
  create function refuse(code text, words text) returns integer language plpgsql immutable
    as $$ begin raise exception using errcode = code, message = words; end $$;
  create function explain(statement text) returns table ("QUERY PLAN" text) language plpgsql
    set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off
    set max_parallel_workers_per_gather = 0 as $$
    declare line text;
    begin
      for line in execute 'explain ' || statement loop
        "QUERY PLAN" := regexp_replace(regexp_replace(line, '^(\\s*(?:->  )?)(\\S.*  \\(cost=)', '\\1XN \\2'),
          '(Hash Join|Nested Loop|Merge Join)', '\\1 DS_BCAST_INNER');
        return next;
      end loop;
    end $$;
  create table external_tables (redshift_database_name text, schemaname text, tablename text, tabletype text,
    location text, parameters text);
  create view svv_tables as
    select current_database() as table_catalog, n.nspname as table_schema, c.relname as table_name,
      case when n.nspname in (select schemaname from external_tables) then 'EXTERNAL TABLE'
        when c.relkind = 'v' then 'VIEW' else 'BASE TABLE' end as table_type, obj_description(c.oid) as remarks
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v') and n.nspname <> 'redshift_double';
  create view svv_columns as
    select table_catalog, table_schema, table_name, column_name, ordinal_position, column_default,
      case when table_schema not in (select schemaname from external_tables) then is_nullable::text
        when is_nullable = 'NO' then 'false' else 'true' end as is_nullable,
      data_type, character_maximum_length, numeric_precision, numeric_precision_radix, numeric_scale,
      datetime_precision, interval_type, interval_precision, character_set_catalog, character_set_schema,
      character_set_name, collation_catalog, collation_schema, collation_name, domain_name,
      col_description((quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass, ordinal_position) as remarks
    from information_schema.columns where table_schema <> 'redshift_double';
  create view svv_table_info as
    select current_database() as database, n.nspname as schema, c.oid as table_id, c.relname as table,
      'AUTO(ALL)'::text as diststyle, 'AUTO(SORTKEY)'::text as sortkey1, c.relpages as size,
      c.reltuples::numeric(38, 0) as tbl_rows
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and c.reltuples > 0;
  create view svv_external_tables as select * from external_tables;
  create function history() returns table (session_id integer, query_text text, status text)
    language sql security definer as $$
      select pid, query, case state when 'active' then 'running' else 'success' end
      from pg_stat_activity where datname = current_database() $$;
  create view sys_query_history as select * from history();
  grant usage on schema redshift_double to public;
  grant select on all tables in schema redshift_double to public;
`

/** Object ids of Redshift's own types on the wire. */
export const redshiftTypes: Readonly<Record<string, number>> = { super: 4000, geometry: 3000, varbyte: 6551 }
