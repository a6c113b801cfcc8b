import { explainAccess } from '../access/rights/explain-rights.ts'
import { findCallerAccess, makeFindDatabaseAccess } from '../access/rights/find-database-access.ts'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import type { DatabaseAccess } from '../domain/access/access.ts'
import type { Catalog, Table } from '../domain/catalog.ts'
import { formatDatabaseRef } from '../domain/database.ts'
import { QuerentError } from '../domain/errors.ts'
import type { CommandContext } from './command-context.ts'
import { accessCopy as copy } from './copy/operations.ts'
import { writeJson } from './terminal.ts'

/** The arguments of `access explain`. */
interface AccessOptions {
  readonly person?: string
  readonly team?: string
  readonly table?: string
  readonly database?: string
  readonly json?: boolean
}

/** `access explain`: what a person sees of a database, or of one table, and which group decides it. */
export const runAccessExplain = async (options: AccessOptions, context: CommandContext): Promise<number> => {
  const { config, resources, terminal, signal } = context
  const person = options.person ?? ''
  const database = options.database ?? config.defaultDatabase ?? sampleCompany
  const isName = /^[a-z][a-z0-9_-]*$/i.test(database)
  if (isName && database !== sampleCompany && !Object.hasOwn(config.databases, database))
    throw new QuerentError('bad-arguments', copy.unknownDatabase(database, Object.keys(config.databases)))
  const { access, note } = await findAccess(context, { person, database, team: options.team ?? '' })
  const lines = [...explainAccess(access, { database, settings: config.rights })]
  if (options.table !== undefined && access.kind !== 'closed') {
    const rights = access.kind === 'restricted' ? access.rights.key : null
    const view = await resources.openDatabase(formatDatabaseRef({ database, glossary: null, rights }), {
      signal,
    })
    lines.push(...explainTable(view.catalog, options.table))
  }
  context.clearProgress()
  if (options.json) writeJson(terminal.out, { person, database, access, explanation: lines, note })
  else
    terminal.out.write(`${[copy.heading(person), ...lines, ...(note === null ? [] : [note])].join('\n')}\n`)
  return 0
}

/** From what Slack tells, if it is set up; else from what querent.yml says alone. */
const findAccess = async (
  { config, resources, log }: CommandContext,
  { person, database, team }: { readonly person: string; readonly database: string; readonly team: string },
): Promise<{ readonly access: DatabaseAccess; readonly note: string | null }> => {
  const { rightsRegistry: registry } = resources
  const isSlackId = /^[UW][A-Z0-9]+$/.test(person)
  if (!isSlackId || (config.slack.botToken === null && config.slack.clientId === null)) {
    const access = findCallerAccess(config.rights, { person, claims: {}, database }, registry)
    return { access, note: isSlackId ? copy.withoutSlack : null }
  }
  const [{ openWorkspaces }, { makeSlackDirectory }, { makeSlackClient }] = await Promise.all([
    import('../bootstrap/slack/workspaces.ts'),
    import('../slack/directory.ts'),
    import('../slack/delivery/client.ts'),
  ])
  const { workspaces } = await openWorkspaces(config, { ownStore: resources.ownStore, log })
  const client = makeSlackClient(workspaces.credentialsOf(team))
  const find = makeFindDatabaseAccess({
    settings: config.rights,
    facts: makeSlackDirectory({ quick: client, patient: client }),
    registry,
  })
  return { access: await find({ person, team, database }, { patience: 'patient' }), note: null }
}

const explainTable = (catalog: Catalog, wanted: string): readonly string[] => {
  const name = ({ schema, name: own }: Table): string => (schema === null ? own : `${schema}.${own}`)
  const same = (one: string): boolean => one.toLowerCase() === wanted.toLowerCase()
  const table = catalog.tables.find(one => same(name(one)) || same(one.name))
  if (table === undefined) return [copy.noTable(wanted)]
  const masked = table.columns.filter(column => column.masked).map(column => column.name)
  return [
    copy.columns(
      name(table),
      table.columns.map(column => column.name),
    ),
    ...(masked.length === 0 ? [] : [copy.maskedColumns(masked)]),
    ...(table.rowCount === null ? [] : [copy.rows(table.rowCount)]),
  ]
}
