import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { renderStatement } from '../../../../src/databases/guard/names/render-statement.ts'
import { makeTableViews, type TableViews } from '../../../../src/databases/guard/names/table-views.ts'
import type { Catalog, Column } from '../../../../src/domain/catalog.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { makeDice } from '../random-statement.ts'
import { withoutMarks } from './droppable.ts'
import { type Grammar, worldTables } from './grammar.ts'
import { bigqueryGrammar, redshiftGrammar, snowflakeGrammar } from './grammars/warehouses.ts'
import { namesStatement } from './names-statement.ts'
import { type Setting, settingRights } from './names-world.ts'
import { readsOf, warehouseRules } from './warehouse-resolver.ts'

/** Warehouses of which no server is at hand. */
export const warehouses: Readonly<Partial<Record<Dialect, Grammar>>> = {
  bigquery: bigqueryGrammar,
  snowflake: snowflakeGrammar,
  redshift: redshiftGrammar,
}

/** What came of generated statements of one warehouse. */
export interface WarehouseReport {
  statements: number
  rendered: number
  refused: number
  /** Statements that read a restricted table as they are written: the resolver has to find these. */
  readAsWritten: number
  /** Rendered statements that read one all the same, that have a name of somebody's own left, or that nobody can read. */
  readonly leaks: { readonly sql: string; readonly rendered: string; readonly why: string }[]
}

const restricting: readonly Setting[] = ['rules', 'lists', 'both']

const catalogOf = (dialect: Dialect): Catalog => {
  const spell = (name: string): string => (dialect === 'snowflake' ? name.toUpperCase() : name)
  const column = ({ name, type }: (typeof worldTables)[number]['columns'][number]): Column => ({
    name: spell(name),
    type: type === 'int' ? 'integer' : 'text',
    ...({ kind: type === 'int' ? 'integer' : 'text', nullable: true, comment: null, profile: null } as const),
  })
  const schemas: Readonly<Partial<Record<Dialect, string>>> = { bigquery: 'shop', snowflake: 'SHOP.PUBLIC' }
  return {
    dialect,
    tables: [...worldTables, { name: 'regions', columns: worldTables[0]?.columns.slice(0, 2) ?? [] }].map(
      ({ name, columns }) => ({
        ...{ schema: null, home: schemas[dialect] ?? 'public', name: spell(name), type: 'table' as const },
        ...{ comment: null, rowCount: 1, primaryKey: [], columns: columns.map(column) },
      }),
    ),
    foreignKeys: [],
    fingerprint: '',
  }
}

/** A warehouse as one setting restricts it. */
interface World {
  readonly views: TableViews
  /** What stands in place of tables of which a part may be seen. */
  readonly standIns: readonly string[]
  /** Names of tables of which a part may be seen, or nothing. */
  readonly secret: readonly string[]
}

const openWorld = (catalog: Catalog, setting: Setting): World => {
  const rights = settingRights(setting, { int: 'integer', text: 'text', suffix: '', struct: null })
  if (rights === null) throw new Error(`${setting} restricts nothing`)
  const spell = (text: string): string => (catalog.dialect === 'snowflake' ? text.toUpperCase() : text)
  const { tables, columns } = rights.scope
  const scope = {
    tables: { include: [], exclude: tables.exclude.map(spell) },
    columns: { exclude: columns.exclude.map(spell), mask: columns.mask.map(spell) },
  }
  const views = makeTableViews(catalog, {
    scope,
    rights: {
      ...{ ...rights, scope },
      rowRules: rights.rowRules.map(rule => ({ ...rule, table: spell(rule.table) })),
      columnMasks: rights.columnMasks.map(mask => ({ ...mask, column: spell(mask.column) })),
    },
  })
  const standIns: string[] = []
  const secret: string[] = []
  for (const { name } of catalog.tables)
    for (const standIn of views.find(null, name)) {
      if (standIn?.sql.startsWith('(')) standIns.push(standIn.sql)
      if (standIn === null || standIn.sql.startsWith('(')) secret.push(name)
    }
  return { views, standIns, secret }
}

/** What a warehouse would do with a statement that it should not; null if nothing. */
const whyWrong = (sql: string, dialect: Dialect, { standIns, secret }: World): string | null => {
  for (const rules of warehouseRules[dialect] ?? []) {
    const reads = readsOf(sql, { dialect, rules, standIns })
    if (reads === null) return 'cannot be read'
    const closed = new Set(secret.map(name => rules.table({ name, quoted: true })))
    const read = reads.tables.find(name => closed.has(name))
    if (read !== undefined) return `reads ${read}`
    const own = reads.names.find(name => !/^q+\d+$/.test(name))
    if (own !== undefined) return `has the name ${own}`
  }
  return null
}

/** Renders generated statements for a warehouse, and reads what comes out by the rules of its documents. */
export const runWarehouse = (
  dialect: Dialect,
  { statements, seed }: { readonly statements: number; readonly seed: number },
): WarehouseReport => {
  const grammar = warehouses[dialect]
  if (grammar === undefined) throw new Error(`there is no grammar of ${dialect}`)
  const report: WarehouseReport = { statements, rendered: 0, refused: 0, readAsWritten: 0, leaks: [] }
  const catalog = catalogOf(dialect)
  const guard = makeGuard()
  const worlds = restricting.map(setting => openWorld(catalog, setting))
  for (let at = 0; at < statements; at += 1) {
    const dice = makeDice(seed * 1_000_000 + at)
    const world = worlds[at % worlds.length]!
    const marked = namesStatement(dice, { grammar, tables: worldTables, wild: 40, shadows: true, idioms: 25 })
    const sql = withoutMarks(marked).replaceAll('{db}', 'dev')
    if (whyWrong(sql, dialect, world)?.startsWith('reads')) report.readAsWritten += 1
    const verdict = guard(sql, dialect)
    const rendered = verdict.verdict === 'allow' ? renderStatement(verdict.guarded, world.views) : null
    if (rendered?.verdict !== 'allow') {
      report.refused += 1
      continue
    }
    report.rendered += 1
    const why = whyWrong(rendered.guarded.sql, dialect, world)
    if (why !== null) report.leaks.push({ sql, rendered: rendered.guarded.sql, why })
  }
  return report
}
