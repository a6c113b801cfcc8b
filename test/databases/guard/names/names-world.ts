import { type DataRights, plainSession } from '../../../../src/domain/access/data-rights.ts'
import { type ReadScope, unrestrictedScope } from '../../../../src/domain/database.ts'

/** What restricts a database: row rules and masks, lists, both, or nothing, where only system tables are closed. */
export type Setting = 'rules' | 'lists' | 'both' | 'system'

/** All settings, in the order in which they are reported. */
export const settings: readonly Setting[] = ['rules', 'lists', 'both', 'system']

/**
 * Databases of one setting. `first` and `second` differ in nothing but what is hidden; `shuffled` is `first` with its rows
 * in another order.
 */
export type World = 'first' | 'second' | 'shuffled'

/** How a server writes the statements that make a world. */
export interface WorldForm {
  readonly int: string
  readonly text: string
  /** What stands behind the columns of CREATE TABLE. */
  readonly suffix: string
  /** A column with fields, where there are such. */
  readonly struct: { readonly type: string; readonly value: (width: number, label: string) => string } | null
}

/** Begins every text that nobody may see, and no other; without restrictions, only names that a catalog tells. */
export const secretMark = (setting: Setting): RegExp => (setting === 'system' ? /zq(?:mark|column)_/ : /zq/)

const text = (value: string): string => `'${value}'`

type Row = readonly string[]

const range = (count: number, row: (id: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => row(at + 1))

/** Hidden rows differ in number and in values; hidden columns in values, length and order. */
const tablesOf = (setting: Setting, world: World, form: WorldForm): Record<string, readonly Row[]> => {
  const other = world === 'second'
  const rowsDiffer = other && (setting === 'rules' || setting === 'both')
  const columnsDiffer = other && (setting === 'lists' || setting === 'both')
  const isMaskedWhole = setting === 'lists'
  const isHidden = setting === 'lists' || setting === 'both'
  // Masks that lists have may show which are equal; others the last four characters.
  const digits = (id: number): number =>
    isMaskedWhole && columnsDiffer ? 9005 - (id % 5) * 7 : 2000 + (id % 5)
  const ssn = (id: number): string => {
    const before = rowsDiffer || columnsDiffer ? 'zq77-0' : 'zq1'
    return text(`${before}-${digits(id)}`)
  }
  const openSsn = (id: number): string =>
    isMaskedWhole || setting === 'both' ? ssn(id) : text(`p-${id % 5}`)
  const email = (id: number): string =>
    text(columnsDiffer ? `zqsecond${'x'.repeat(9 - (id % 9))}${id}` : `zqfirst${id % 4}`)
  const credit = (id: number): string => String(id * 100 + (rowsDiffer ? 63 : 7))
  const hiddenCount = rowsDiffer ? 4 : 6
  const from = (id: number): number => id + (rowsDiffer ? 200 : 100)
  const mark = rowsDiffer ? 'zqsecond' : 'zqfirst'
  const salaries = columnsDiffer ? 9 : 5
  return {
    customers: [
      ...range(9, id => [
        ...[String(id), text(`n${id % 4}`), text('north'), email(id)],
        ...[ssn(id), credit(id)],
      ]),
      ...(setting === 'lists'
        ? []
        : range(hiddenCount, id => [
            ...[String(from(id)), text(`${mark}${id}`), text('south'), text(`${mark}${id}`)],
            ...[text(`${mark}-${id}`), String(id * (rowsDiffer ? 1000 : 10))],
          ])),
    ],
    orders: [
      ...range(12, id => [
        ...[String(id), String(id % 9), String((id % 6) * 10)],
        id % 4 === 0 ? 'null' : text(`n${id % 4}`),
      ]),
      ...(setting === 'lists'
        ? []
        : range(hiddenCount + 2, id => [
            ...[String(from(id)), String(id % 9), String(rowsDiffer ? 5000 + id : 900 + id)],
            text(mark),
          ])),
    ],
    people: range(7, id => [String(id), text(`n${id % 4}`), openSsn(id)]),
    tickets: [
      ...range(8, id => [
        ...[String(id), text(id % 3 === 0 ? 'bike' : 'kiosk')],
        ...[
          text(id % 2 === 0 ? 'open' : 'closed'),
          text(isHidden ? (columnsDiffer ? `zqkey${id * 31}` : `zqk${id}`) : `k${id}`),
        ],
      ]),
      ...(setting === 'lists'
        ? []
        : range(hiddenCount, id => [String(from(id)), text('secret'), text(mark), text(`${mark}${id}`)])),
    ],
    salaries: range(salaries, id => [
      ...[String(columnsDiffer || rowsDiffer ? 300 + id : 100 + id), String(id % 7)],
      ...[
        String(columnsDiffer || rowsDiffer ? 77_001 * id : 70_101 + id),
        text(`${mark}${columnsDiffer ? 'b' : 'a'}${id}`),
      ],
    ]),
    ...(form.struct !== null && {
      parcels: range(4, id => [
        String(id),
        form.struct?.value(id * 10, `box${id % 2}`) ?? '',
        form.struct?.value(
          columnsDiffer ? id * 7919 : id,
          `${isHidden ? 'zq' : ''}${columnsDiffer ? 'second' : 'first'}${id}`,
        ) ?? '',
      ]),
    }),
  }
}

const columns: Readonly<Record<string, string>> = {
  customers: 'id:i name city email ssn credit:i',
  orders: 'id:i customer_id:i amount:i note',
  people: 'id:i name ssn',
  tickets: 'id:i kind status bank_key',
  salaries: 'id:i person_id:i amount:i bank',
  parcels: 'id:i box:s vault:s',
}

/** Statements that make one of the tables, with these rows as SQL writes them. */
export const tableStatements = (
  table: string,
  rows: readonly (readonly string[])[],
  form: WorldForm,
): readonly string[] => {
  const types: Readonly<Record<string, string>> = { i: form.int, s: form.struct?.type ?? form.text }
  const list = (columns[table] ?? '').split(' ').map(part => {
    const [name = '', type = ''] = part.split(':')
    return `${name} ${types[type] ?? form.text}`
  })
  const values = rows.map(row => `(${row.join(', ')})`).join(', ')
  return [
    `CREATE TABLE ${table} (${list.join(', ')})${form.suffix}`,
    ...(rows.length === 0 ? [] : [`INSERT INTO ${table} VALUES ${values}`]),
  ]
}

/** Statements that make and fill a world. */
export const worldStatements = (setting: Setting, world: World, form: WorldForm): readonly string[] => {
  const statements = Object.entries(tablesOf(setting, world, form)).flatMap(([table, rows]) =>
    tableStatements(table, world === 'shuffled' ? rows.toReversed() : rows, form),
  )
  if (setting !== 'system') return statements
  // What a catalog says of a database differs too.
  const [table, column] =
    world === 'second' ? ['zqmark_second', 'zqcolumn_b'] : ['zqmark_first', 'zqcolumn_a']
  return [...statements, `CREATE TABLE ${table} (${column} ${form.int})${form.suffix}`]
}

const lists: ReadScope = {
  tables: { include: [], exclude: ['salaries'] },
  columns: { exclude: ['customers.email', 'tickets.bank_key'], mask: ['people.ssn'] },
}

/** The rights under which a world is opened; null for none. */
export const settingRights = (setting: Setting, form: WorldForm): DataRights | null => {
  if (setting === 'system') return null
  const hasRules = setting !== 'lists'
  const exclude = [...lists.columns.exclude, ...(form.struct === null ? [] : ['parcels.vault'])]
  const mask = setting === 'lists' ? [...lists.columns.mask, 'customers.ssn'] : lists.columns.mask
  return {
    key: '0123456789abcdef',
    group: 'names',
    scope: setting === 'rules' ? unrestrictedScope : { ...lists, columns: { exclude, mask } },
    rowRules: hasRules
      ? [
          { table: 'customers', condition: "city = 'north'" },
          { table: 'orders', condition: 'amount < 900' },
          { table: 'tickets', condition: "kind <> 'secret'" },
          ...(setting === 'rules' ? [{ table: 'salaries', condition: 'id < 100' }] : []),
        ]
      : [],
    columnMasks: hasRules
      ? [
          { column: 'customers.ssn', mask: 'last-four' },
          { column: 'customers.credit', mask: 'bucket', width: 100 },
          ...(setting === 'rules' ? [{ column: 'customers.email', mask: 'hash' } as const] : []),
        ]
      : [],
    mayExport: true,
    session: plainSession,
  }
}
