import { Client } from 'pg'
import { mostRanked, type Peer, rankAgain } from './peer.ts'

/** Values that one INSERT takes. */
const insertedAtOnce = 10_000

/** Postgres's pg_trgm: a GIN index, `text % keyword` at its own threshold of .3, best fifty by similarity. */
export const makePgTrgm = async (values: readonly string[], url: string): Promise<Peer> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create extension if not exists pg_trgm')
  await client.query('create temporary table bench_texts (text text)')
  for (let first = 0; first < values.length; first += insertedAtOnce)
    await client.query('insert into bench_texts select unnest($1::text[])', [
      values.slice(first, first + insertedAtOnce),
    ])
  const started = performance.now()
  await client.query('create index bench_texts_trgm on bench_texts using gin (text gin_trgm_ops)')
  await client.query('analyze bench_texts')
  const buildSeconds = (performance.now() - started) / 1000
  await client.query('set pg_trgm.similarity_threshold = 0.3')
  const { rows } = await client.query("select pg_relation_size('bench_texts_trgm') as bytes")
  return {
    name: 'Postgres pg_trgm, GIN',
    buildSeconds,
    indexBytes: Number(rows[0].bytes),
    find: async keyword => {
      const found = await client.query({
        name: 'find',
        text: `select text from bench_texts where text % $1 order by similarity(text, $1) desc limit ${mostRanked}`,
        values: [keyword],
      })
      return rankAgain(
        keyword,
        found.rows.map(row => String(row.text)),
      )
    },
    close: () => client.end(),
  }
}
