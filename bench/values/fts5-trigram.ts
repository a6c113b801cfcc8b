import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mostRanked, type Peer, rankAgain } from './peer.ts'

/** SQLite's full-text index of trigrams: any of the keyword's trigrams, best fifty by bm25. Its file holds the texts. */
export const makeFts5Trigram = (values: readonly string[]): Peer => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-bench-'))
  const file = join(folder, 'fts5.sqlite')
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = off; pragma synchronous = off')
  const started = performance.now()
  database.exec("create virtual table texts using fts5(text, tokenize = 'trigram', detail = none); begin")
  const insert = database.prepare('insert into texts (rowid, text) values (?, ?)')
  for (const [at, value] of values.entries()) insert.run(at + 1, value)
  database.exec("insert into texts (texts) values ('optimize'); commit")
  const buildSeconds = (performance.now() - started) / 1000
  const select = database.prepare(
    `select text from texts where texts match ? order by rank limit ${mostRanked}`,
  )
  return {
    name: 'SQLite FTS5, trigram',
    buildSeconds,
    indexBytes: statSync(file).size,
    find: async keyword => {
      const match = trigramsOf(keyword)
      return match === ''
        ? []
        : rankAgain(
            keyword,
            select.all(match).map(row => String(row.text)),
          )
    },
    close: async () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const trigramsOf = (keyword: string): string => {
  const folded = keyword.toLowerCase()
  const trigrams = new Set<string>()
  for (let at = 0; at + 3 <= folded.length; at++) trigrams.add(folded.slice(at, at + 3))
  return [...trigrams].map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' OR ')
}
