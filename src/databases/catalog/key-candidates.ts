import type { Catalog, Column, ForeignKey, Table } from '../../core/catalog.ts'
import { splitName } from '../../lib/split-name.ts'
import { toSingular } from '../../lib/to-singular.ts'
import { nameTables } from './name-tables.ts'

/** A pair of columns whose names and types say that one may refer to the other. Lower rank, stronger name. */
export interface KeyCandidate {
  readonly from: { readonly table: Table; readonly column: Column }
  readonly to: { readonly table: Table; readonly column: Column }
  readonly rank: number
}

/** Words that name a key without saying of what. */
const keyWords = new Set([
  'id',
  'ids',
  'key',
  'code',
  'no',
  'nr',
  'num',
  'number',
  'ref',
  'uuid',
  'guid',
  'pk',
  'sk',
])

/** Words that name something else in every other table, so that meeting twice means nothing. */
const sayNothing = new Set([
  'name',
  'title',
  'type',
  'date',
  'status',
  'description',
  'year',
  'value',
  'rank',
  'position',
])

/**
 * Pairs worth measuring, strongest names first, in tables between which no key is declared. The target is the whole
 * primary key, or a column without repetitions that is named like a key. Views neither refer nor are referred to.
 */
export const listKeyCandidates = (catalog: Catalog): readonly KeyCandidate[] => {
  const names = nameTables(catalog)
  const tables = catalog.tables.filter(table => table.type === 'table')
  const linked = new Set(catalog.foreignKeys.flatMap(key => [pairOf(key.from.table, key.to.table)]))
  const targets = tables.flatMap(table => keyColumns(table).map(column => ({ table, column })))
  const candidates: KeyCandidate[] = []
  for (const table of tables) {
    const taken = columnsInKeys(catalog.foreignKeys, names.get(table) ?? table.name)
    for (const column of table.columns) {
      if (taken.has(column.name) || column.profile === null || column.profile.distinctCount === 0) continue
      for (const to of targets) {
        if (to.table === table || linked.has(pairOf(names.get(table) ?? '', names.get(to.table) ?? '')))
          continue
        if (!sameType(column, to.column)) continue
        const rank = rankOfNames(table, column, to.table, to.column)
        if (rank !== null) candidates.push({ from: { table, column }, to, rank })
      }
    }
  }
  return candidates.sort((a, b) => a.rank - b.rank)
}

const pairOf = (a: string, b: string): string => JSON.stringify([a, b].sort())

const columnsInKeys = (keys: readonly ForeignKey[], table: string): ReadonlySet<string> =>
  new Set(keys.filter(key => key.from.table === table).flatMap(key => key.from.columns))

const keyColumns = (table: Table): readonly Column[] =>
  table.columns.filter(column => {
    if (!['integer', 'text', 'number'].includes(column.kind) || column.profile === null) return false
    if (table.primaryKey.length > 0)
      return table.primaryKey.length === 1 && table.primaryKey[0] === column.name
    const { distinctCount, nullShare, rowsRead = 0 } = column.profile
    return nullShare === 0 && distinctCount === rowsRead && rowsRead > 1 && isKeyName(wordsOf(column.name))
  })

const isKeyName = (words: readonly string[]): boolean =>
  keyWords.has(words.at(-1) ?? '') || /\wid$/.test(words.at(-1) ?? '')

/** Numbers meet numbers; texts meet texts of the same declared family, since a server will not compare others. */
const sameType = (a: Column, b: Column): boolean => {
  const isNumber = (column: Column): boolean => column.kind === 'integer' || column.kind === 'number'
  if (isNumber(a) || isNumber(b)) return isNumber(a) && isNumber(b)
  const family = (column: Column): string =>
    /char|text|clob|string/i.test(column.type) ? 'text' : column.type.toLowerCase()
  return a.kind === b.kind && family(a) === family(b)
}

const wordsOf = (name: string): readonly string[] => splitName(name).map(toSingular)

/**
 * 0: `customer_id` and `customers.id`, or any role before it (`billing_customer_id`). 1: a telling name that both
 * sides share, and whose table is called so. 2: such a name in another table. 3: `department` and `departments.id`.
 */
const rankOfNames = (fromTable: Table, from: Column, toTable: Table, to: Column): number | null => {
  const source = wordsOf(from.name)
  const target = wordsOf(to.name)
  const table = wordsOf(toTable.name)
  if (isOwnKey(fromTable, from)) return null
  const glued = source.join('')
  const tableAndKey = [...table.slice(-1), ...target]
  if (endsWith(source, tableAndKey) || glued === [...table, ...target].join('')) return 0
  const tells = target.some(word => !keyWords.has(word) && !sayNothing.has(word))
  if (tells && endsWith(source, target)) return target.includes(table.at(-1) ?? '') ? 1 : 2
  if (keyWords.has(target.join('')) && from.kind === 'integer' && source.at(-1) === table.at(-1)) return 3
  return null
}

/** Whether a column is the key of the very table it stands in: `students.student_id`. */
const isOwnKey = (table: Table, column: Column): boolean => {
  if (table.primaryKey.length !== 1 || table.primaryKey[0] !== column.name) return false
  const words = wordsOf(column.name)
  const own = wordsOf(table.name).at(-1) ?? ''
  return words.length === 1 || words[0] === own || words.join('').startsWith(own)
}

const endsWith = (words: readonly string[], end: readonly string[]): boolean =>
  end.length > 0 &&
  end.length <= words.length &&
  end.every((word, at) => word === words[words.length - end.length + at])
