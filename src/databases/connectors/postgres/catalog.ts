import type { PoolClient } from 'pg'
import type { Catalog, Column, ForeignKey, OwnSyntax, Table } from '../../../domain/catalog.ts'
import { fingerprintCatalog } from '../catalog.ts'
import { kindOfType } from './values.ts'

const groupBy = <Row>(rows: readonly Row[], key: (row: Row) => number): ReadonlyMap<number, readonly Row[]> =>
  Map.groupBy(rows, key)

/** A domain's values look like those of its base type. */
const makeBaseType = (domains: readonly DomainRow[]): ((typeId: number) => number) => {
  const bases = new Map(domains.map(domain => [domain.id, domain.base]))
  const baseType = (typeId: number): number => {
    const base = bases.get(typeId)
    return base === undefined ? typeId : baseType(base)
  }
  return baseType
}

/** The planner's estimate, if there is one: zero can also mean that the rows were never counted. */
const rowCount = (relation: RelationRow): number | null =>
  relation.kind === 'v' || relation.estimate <= 0 ? null : Math.round(relation.estimate)

/** Names of the columns at these positions; null if one of them cannot be read. */
const namesAt = (columns: readonly ColumnRow[], positions: readonly number[]): string[] | null => {
  const names = positions.map(position => columns.find(column => column.position === position)?.name)
  return names.every(name => name !== undefined) ? names : null
}

const sameText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Reads what the role can SELECT. `schema` is null for a table that the role finds by its plain name; other tables
 * carry theirs. A key uses the plain name too, unless another table of that name would be found first.
 */
export const introspect = async (client: PoolClient): Promise<Catalog> => {
  // One client answers one query at a time anyway.
  const schemas = await readSchemas(client)
  const relations = await readRelations(client)
  const columns = groupBy(await readColumns(client), row => row.relation)
  const keys = await readKeys(client)
  const baseType = makeBaseType(await readDomains(client))
  const parents = groupBy(await readInheritance(client), row => row.child)
  const functions = await readFunctions(client)
  const ownSyntax = functions.length === 0 ? null : await readOwnSyntax(client)

  const order = new Map(schemas.all.map((name, index) => [name, index]))
  const sorted = relations
    .filter(relation => columns.has(relation.id))
    .sort((a, b) => (order.get(a.schema) ?? 0) - (order.get(b.schema) ?? 0) || sameText(a.name, b.name))
  const own = new Set(schemas.own)
  const firstOfName = new Map<string, number>()
  for (const relation of sorted)
    if (!firstOfName.has(relation.name)) firstOfName.set(relation.name, relation.id)
  const byId = new Map(sorted.map(relation => [relation.id, relation]))

  const isPlain = (relation: RelationRow): boolean => firstOfName.get(relation.name) === relation.id
  const nameInKey = (relation: RelationRow): string =>
    isPlain(relation) ? relation.name : `${relation.schema}.${relation.name}`

  const toColumn = (row: ColumnRow): Column => ({
    name: row.name,
    type: row.type,
    kind: kindOfType(baseType(row.typeId)),
    nullable: row.nullable,
    comment: row.comment,
    profile: null,
    ...(row.generatedFrom !== null && { generatedFrom: row.generatedFrom }),
  })

  const parentsOf = ({ id }: RelationRow): Pick<Table, 'parents'> => {
    const found = (parents.get(id) ?? []).map(({ parent }) => byId.get(parent))
    const names = found.filter(parent => parent !== undefined).map(nameInKey)
    return names.length === 0 ? {} : { parents: names }
  }

  const toTable = (relation: RelationRow): Table => {
    const rows = columns.get(relation.id) ?? []
    const primary = keys.find(key => key.kind === 'p' && key.relation === relation.id)
    return {
      schema: own.has(relation.schema) && isPlain(relation) ? null : relation.schema,
      ...(own.has(relation.schema) &&
        isPlain(relation) &&
        relation.schema !== 'public' && { home: relation.schema }),
      name: relation.name,
      type: relation.kind === 'v' || relation.kind === 'm' ? 'view' : 'table',
      comment: relation.comment,
      rowCount: rowCount(relation),
      columns: rows.map(toColumn),
      primaryKey: (primary && namesAt(rows, primary.positions)) ?? [],
      ...(relation.definition !== null && { definition: relation.definition }),
      ...(relation.callsOwn && { callsOwn: true as const }),
      ...parentsOf(relation),
    }
  }

  const toForeignKey = (key: KeyRow): ForeignKey | null => {
    const from = byId.get(key.relation)
    const to = byId.get(key.target)
    if (from === undefined || to === undefined) return null
    const fromColumns = namesAt(columns.get(from.id) ?? [], key.positions)
    const toColumns = namesAt(columns.get(to.id) ?? [], key.targetPositions ?? [])
    if (fromColumns === null || toColumns === null) return null
    return {
      from: { table: nameInKey(from), columns: fromColumns },
      to: { table: nameInKey(to), columns: toColumns },
      source: 'declared',
      inclusion: null,
    }
  }

  const catalog = {
    dialect: 'postgres',
    tables: sorted.map(toTable),
    foreignKeys: keys
      .filter(key => key.kind === 'f')
      .map(toForeignKey)
      .filter(key => key !== null),
    ...(functions.length > 0 && { functions }),
    ...(ownSyntax !== null && { ownSyntax }),
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/** Schemas of our own and of the server; the others hold what people ask about. */
const isOpenSchema = (alias: string): string => `
  ${alias}.nspname !~ '^pg_'
  and ${alias}.nspname <> 'information_schema'
  and ${alias}.nspname !~ '^(querent|pgboss)(_|$)'
  and has_schema_privilege(${alias}.oid, 'USAGE')`

/**
 * Tables, partitioned tables, views, materialized views and foreign tables of which the role can read something. A
 * partition is part of its table, and tables of extensions are not data.
 */
const isOpenRelation = (alias: string): string => `
  ${alias}.relkind in ('r', 'p', 'v', 'm', 'f')
  and not ${alias}.relispartition
  and (has_table_privilege(${alias}.oid, 'SELECT') or has_any_column_privilege(${alias}.oid, 'SELECT'))
  and not exists (
    select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = ${alias}.oid and d.deptype = 'e'
  )`

interface RelationRow {
  readonly id: number
  readonly schema: string
  readonly name: string
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f'
  readonly comment: string | null
  /** A view's query. */
  readonly definition: string | null
  readonly callsOwn: boolean
  /** The planner's estimate; -1, or 0 before PostgreSQL 14, if the rows were never counted. */
  readonly estimate: number
}

interface ColumnRow {
  readonly relation: number
  readonly position: number
  readonly name: string
  readonly type: string
  readonly typeId: number
  readonly nullable: boolean
  readonly comment: string | null
  /** The expression of a generated column. */
  readonly generatedFrom: string | null
}

interface InheritanceRow {
  readonly child: number
  readonly parent: number
}

interface KeyRow {
  readonly kind: 'p' | 'f'
  readonly relation: number
  readonly positions: readonly number[]
  readonly target: number
  readonly targetPositions: readonly number[] | null
}

interface DomainRow {
  readonly id: number
  readonly base: number
}

const ask = async <Row extends object>(client: PoolClient, text: string): Promise<Row[]> =>
  (await client.query<Row>({ text, values: [] })).rows

/**
 * Schemas with something to read: first those of the role's own search path, then by name. Resets the search path
 * to the role's own until the transaction ends.
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

const readRelations = (client: PoolClient): Promise<RelationRow[]> =>
  ask(
    client,
    `with recursive ${ownParts}
     select c.oid::int8::float8 as id, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind,
       obj_description(c.oid, 'pg_class') as comment,
       case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition,
       exists (
         select from pg_rewrite rule
           join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = rule.oid
         where rule.ev_class = c.oid and c.relkind in ('v', 'm') and ${callsOwn('d')}
       ) as "callsOwn",
       case when c.relkind = 'p' and c.reltuples <= 0
         then (select coalesce(sum(greatest(leaf.reltuples, 0)), 0)::float8
               from pg_partition_tree(c.oid) part join pg_class leaf on leaf.oid = part.relid where part.isleaf)
         else c.reltuples::float8
       end as estimate
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${isOpenSchema('n')} and ${isOpenRelation('c')}
     order by n.nspname, c.relname`,
  )

const readColumns = (client: PoolClient): Promise<ColumnRow[]> =>
  ask(
    client,
    `select c.oid::int8::float8 as relation, a.attnum::int4 as position, a.attname::text as name,
       format_type(a.atttypid, a.atttypmod) as type, a.atttypid::int8::float8 as "typeId",
       not a.attnotnull as nullable, col_description(c.oid, a.attnum) as comment,
       case when to_jsonb(a) ->> 'attgenerated' in ('s', 'v') then pg_get_expr(d.adbin, d.adrelid) end as "generatedFrom"
     from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where ${isOpenSchema('n')} and ${isOpenRelation('c')}
       and a.attnum > 0 and not a.attisdropped
       and has_column_privilege(c.oid, a.attnum, 'SELECT')
     order by c.oid, a.attnum`,
  )

/** Primary and foreign keys. A key that a partition inherited belongs to its table and is not listed again. */
const readKeys = (client: PoolClient): Promise<KeyRow[]> =>
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

const readDomains = (client: PoolClient): Promise<DomainRow[]> =>
  ask(
    client,
    `select oid::int8::float8 as id, typbasetype::int8::float8 as base from pg_type where typtype = 'd'`,
  )

/** Tables that inherit from others, whose rows they hold too. Partitions are not listed as tables of their own. */
const readInheritance = (client: PoolClient): Promise<InheritanceRow[]> =>
  ask(
    client,
    `select i.inhrelid::int8::float8 as child, i.inhparent::int8::float8 as parent
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where not c.relispartition`,
  )

/** Names of functions, aggregates and procedures that somebody made in the database; those of extensions are known. */
const readFunctions = async (client: PoolClient): Promise<string[]> =>
  (
    await ask<{ name: string }>(
      client,
      `with recursive ${ownParts}
       select distinct p.proname::text as name from pg_proc p join own_function f on f.oid = p.oid order by name`,
    )
  ).map(({ name }) => name)

/**
 * Queries of WITH: functions that somebody made in the database, operators that call one, the parts that types are made
 * of, and the types that call a function for each value, in a CHECK of a domain.
 */
const ownParts = `
  own_function as materialized (
    select p.oid
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname not in ('pg_catalog', 'information_schema')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  ),
  own_operator as materialized (
    select o.oid, o.oprname, o.oprleft, o.oprright
    from pg_operator o
    where exists (select from own_function f where f.oid in (o.oprcode::oid, o.oprrest::oid, o.oprjoin::oid))
  ),
  part (whole, part) as (
    select oid, typbasetype from pg_type where typtype = 'd'
    union all
    select oid, typelem from pg_type where typcategory = 'A' and typelem <> 0
    union all
    select t.oid, a.atttypid
    from pg_type t join pg_attribute a on a.attrelid = t.typrelid join pg_namespace n on n.oid = t.typnamespace
    where t.typtype = 'c' and a.attnum > 0 and not a.attisdropped and n.nspname !~ '^(pg_|information_schema$)'
    union all
    select rngtypid, rngsubtype from pg_range
    union all
    select (to_jsonb(r) ->> 'rngmultitypid')::oid, rngtypid from pg_range r where to_jsonb(r) ? 'rngmultitypid'
  ),
  checking_type (oid) as (
    select k.contypid
    from pg_constraint k join pg_depend d on d.classid = 'pg_constraint'::regclass and d.objid = k.oid
    where k.contypid <> 0
      and (d.refclassid = 'pg_proc'::regclass and d.refobjid in (select oid from own_function)
        or d.refclassid = 'pg_operator'::regclass and d.refobjid in (select oid from own_operator))
    union
    select p.whole from part p join checking_type c on c.oid = p.part
  )`

/** Whether what something depends on calls a function that somebody made. */
const callsOwn = (dependence: string): string => `
  (${dependence}.refclassid = 'pg_proc'::regclass and ${dependence}.refobjid in (select oid from own_function)
    or ${dependence}.refclassid = 'pg_operator'::regclass and ${dependence}.refobjid in (select oid from own_operator)
    or ${dependence}.refclassid = 'pg_type'::regclass and ${dependence}.refobjid in (select oid from checking_type))`

/** What calls the functions of the database without naming them; null if nothing does, as in almost every database. */
const readOwnSyntax = async (client: PoolClient): Promise<OwnSyntax | null> => {
  const [any] = await ask<{ some: boolean }>(
    client,
    `with recursive ${ownParts}
     select exists (select from own_operator) or exists (select from checking_type)
       or exists (select from pg_cast where castfunc in (select oid from own_function))
       or exists (select from pg_amproc where amproc::oid in (select oid from own_function)) as some`,
  )
  if (any?.some !== true) return null
  const [found] = await ask<OwnSyntax>(
    client,
    `with recursive ${ownParts},
     own_cast as (
       select c.castsource as source, c.casttarget as target, c.castcontext = 'i' as implicit
       from pg_cast c where c.castfunc in (select oid from own_function)
     ),
     -- Operator classes: their own functions and operators sort, compare, and look up in indexes.
     compared (oid) as (
       select amproclefttype from pg_amproc where amproc::oid in (select oid from own_function)
       union
       select amoplefttype from pg_amop where amopopr in (select oid from own_operator)
     ),
     wanted (oid) as (
       select oprleft from own_operator union select oprright from own_operator
       union select source from own_cast union select target from own_cast
       union select oid from compared union select oid from checking_type
     ),
     holder (target, oid) as (
       select oid, oid from wanted where oid <> 0
       union
       select h.target, p.whole from holder h join part p on p.part = h.oid
     ),
     origin (target, oid) as (
       select oid, oid from wanted where oid <> 0
       union
       select o.target, s.source
       from origin o join (
         select part, whole from part
         union all
         select casttarget, castsource from pg_cast where castcontext = 'i'
         union all
         select oid, typbasetype from pg_type where typtype = 'd'
       ) s (part, source) on s.part = o.oid
     ),
     giver (target, name, keeps) as (
       select target, name, bool_and(keeps)
       from (
         select o.target, p.proname, exists (
           select from origin given where given.target = o.target and given.oid = any (p.proargtypes)
         )
         from origin o join pg_proc p on p.prorettype = o.oid or o.oid = any (p.proallargtypes)
         where p.proname !~ '^pg_'
         union all
         select o.target, p.oprname, exists (
           select from origin given where given.target = o.target and given.oid in (p.oprleft, p.oprright)
         )
         from origin o join pg_operator p on p.oprresult = o.oid
       ) one (target, name, keeps)
       group by target, name
     ),
     -- A composite or an array can be written out of its parts.
     named (oid, name) as (
       select t.oid, case when t.typtype in ('p', 'c') or t.typcategory = 'A' then null else format_type(t.oid, null) end
       from pg_type t
     )
     select
       (select coalesce(json_agg(json_build_object(
            'symbol', o.oprname,
            'isShared', exists (
              select from pg_operator other
              where other.oprname = o.oprname and other.oid not in (select oid from own_operator)
            ),
            'operands', (
              select json_agg(n.name order by side.place)
              from (values (1, o.oprleft), (2, o.oprright)) side (place, type) join named n on n.oid = side.type
            )) order by o.oid), '[]')
          from own_operator o) as operators,
       (select coalesce(json_agg(json_build_object(
            'from', (select name from named where oid = c.source),
            'to', (
              select json_agg(format_type(h.oid, null) order by h.oid <> c.target)
              from holder h where h.target = c.target
            ),
            'isImplicit', c.implicit,
            'isIntoKnown', exists (
              select from pg_type t join pg_namespace n on n.oid = t.typnamespace
              where t.oid = c.target and (
                n.nspname in ('pg_catalog', 'information_schema')
                or exists (
                  select from pg_depend d
                  where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'
                )
              )
            ))), '[]')
          from (select source, target, implicit from own_cast
                union all select null, oid, false from checking_type) c) as casts,
       (select coalesce(json_agg(format_type(oid, null)), '[]') from compared) as compared,
       (select coalesce(json_object_agg(format_type(w.oid, null), json_build_object(
            'types', (select json_agg(format_type(o.oid, null)) from origin o where o.target = w.oid),
            'calls', (select coalesce(json_agg(name), '[]') from giver where target = w.oid and not keeps),
            'keeping', (select coalesce(json_agg(name), '[]') from giver where target = w.oid and keeps))), '{}')
          from wanted w where w.oid <> 0) as values`,
  )
  return found ?? null
}
