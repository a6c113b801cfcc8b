import { functionNames } from '../standard-sql.ts'

/**
 * Types whose values are nothing but themselves (manual, chapter 8), and those of the extensions that business databases
 * have. Left out on purpose: what looks names up (`regclass` and its kind, `oid`), rows (`record`), and what tells of the
 * server.
 */
export const plainTypes: ReadonlySet<string> = functionNames(
  `bool int2 int4 int8 float4 float8 numeric decimal money text varchar bpchar char name citext bytea bit varbit uuid
   date time timetz timestamp timestamptz interval json jsonb jsonpath`,
  `int4range int8range numrange daterange tsrange tstzrange int4multirange int8multirange nummultirange datemultirange
   tsmultirange tstzmultirange`,
  `inet cidr macaddr macaddr8 point line lseg box path polygon circle tsvector tsquery`,
  // hstore, ltree, PostGIS, pgvector
  `hstore ltree lquery geometry geography box2d box3d vector halfvec sparsevec`,
)
