import type { PoolClient } from 'pg'

/** Ours, and the server's own; the rest is what people ask about. */
const isOpenSchema = (alias: string): string => `
  ${alias}.nspname !~ '^pg_'
  and ${alias}.nspname <> 'information_schema'
  and ${alias}.nspname !~ '^(querent|pgboss)(_|$)'
  and has_schema_privilege(${alias}.oid, 'USAGE')`

/**
 * Tables, partitioned tables, views, materialised and foreign ones of which the role may read something. A
 * partition is part of its table, and what an extension brought along is not data.
 */
const isOpenRelation = (alias: string): string => `
  ${alias}.relkind in ('r', 'p', 'v', 'm', 'f')
  and not ${alias}.relispartition
  and (has_table_privilege(${alias}.oid, 'SELECT') or has_any_column_privilege(${alias}.oid, 'SELECT'))
  and not exists (
    select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = ${alias}.oid and d.deptype = 'e'
  )`

export interface RelationRow {
  readonly id: number
  readonly schema: string
  readonly name: string
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f'
  readonly comment: string | null
  /** A view's query. */
  readonly definition: string | null
  /** The planner's estimate; -1, or 0 before PostgreSQL 14, where nobody has counted yet. */
  readonly estimate: number
}

export interface ColumnRow {
  readonly relation: number
  readonly position: number
  readonly name: string
  readonly type: string
  readonly typeId: number
  readonly nullable: boolean
  readonly comment: string | null
}

export interface KeyRow {
  readonly kind: 'p' | 'f'
  readonly relation: number
  readonly positions: readonly number[]
  readonly target: number
  readonly targetPositions: readonly number[] | null
}

export interface DomainRow {
  readonly id: number
  readonly base: number
}

const ask = async <Row extends object>(client: PoolClient, text: string): Promise<Row[]> =>
  (await client.query<Row>({ text, values: [] })).rows

/**
 * Schemas with something to read in them: those of the role's own search path first, then by name. Puts the search
 * path back to the role's own until the transaction ends.
 */
export const readSchemas = async (client: PoolClient): Promise<{ own: string[]; all: string[] }> => {
  await client.query('set local search_path to default')
  const rows = await ask<{ name: string; place: number | null }>(
    client,
    `select n.nspname::text as name, array_position(current_schemas(false), n.nspname) as place
     from pg_namespace n
     where ${isOpenSchema('n')}
       and exists (select from pg_class c where c.relnamespace = n.oid and ${isOpenRelation('c')})
     order by place nulls last, n.nspname <> 'public', n.nspname`,
  )
  return {
    own: rows.filter(row => row.place !== null).map(row => row.name),
    all: rows.map(row => row.name),
  }
}

export const readRelations = (client: PoolClient): Promise<RelationRow[]> =>
  ask(
    client,
    `select c.oid::int8::float8 as id, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind,
       obj_description(c.oid, 'pg_class') as comment,
       case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition,
       case when c.relkind = 'p' and c.reltuples <= 0
         then (select coalesce(sum(greatest(leaf.reltuples, 0)), 0)::float8
               from pg_partition_tree(c.oid) part join pg_class leaf on leaf.oid = part.relid where part.isleaf)
         else c.reltuples::float8
       end as estimate
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${isOpenSchema('n')} and ${isOpenRelation('c')}
     order by n.nspname, c.relname`,
  )

export const readColumns = (client: PoolClient): Promise<ColumnRow[]> =>
  ask(
    client,
    `select c.oid::int8::float8 as relation, a.attnum::int4 as position, a.attname::text as name,
       format_type(a.atttypid, a.atttypmod) as type, a.atttypid::int8::float8 as "typeId",
       not a.attnotnull as nullable, col_description(c.oid, a.attnum) as comment
     from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid
     where ${isOpenSchema('n')} and ${isOpenRelation('c')}
       and a.attnum > 0 and not a.attisdropped
       and has_column_privilege(c.oid, a.attnum, 'SELECT')
     order by c.oid, a.attnum`,
  )

/** Primary and foreign keys. One that a partition inherited belongs to its table and is not listed again. */
export const readKeys = (client: PoolClient): Promise<KeyRow[]> =>
  ask(
    client,
    `select k.contype::text as kind, k.conrelid::int8::float8 as relation, to_json(k.conkey) as positions,
       k.confrelid::int8::float8 as target, to_json(k.confkey) as "targetPositions"
     from pg_constraint k
       join pg_class c on c.oid = k.conrelid
       join pg_namespace n on n.oid = c.relnamespace
     where k.contype in ('p', 'f') and k.conparentid = 0 and ${isOpenSchema('n')} and ${isOpenRelation('c')}
     order by k.conrelid, k.contype, k.conname`,
  )

export const readDomains = (client: PoolClient): Promise<DomainRow[]> =>
  ask(
    client,
    `select oid::int8::float8 as id, typbasetype::int8::float8 as base from pg_type where typtype = 'd'`,
  )
