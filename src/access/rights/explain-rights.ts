import type { DatabaseAccess } from '../../domain/access/access.ts'
import type { ColumnMask, DataRights, RightsGroup, RightsSettings } from '../../domain/access/data-rights.ts'
import { hasGroupsFor } from './resolve-rights.ts'

/** What someone sees of a database and why, a sentence each. `database` is its bare name. */
export const explainAccess = (
  access: DatabaseAccess,
  { database, settings }: { readonly database: string; readonly settings: RightsSettings },
): readonly string[] => {
  switch (access.kind) {
    case 'open':
      return [
        access.group === null
          ? `Everything in ${database} that can be asked: no group under access.groups names it.`
          : `Everything in ${database} that can be asked, by the group ${access.group}${orderOf(settings, database, access.group)}.`,
      ]
    case 'closed':
      return [`Nothing in ${database}: ${access.reason}.`]
    case 'restricted':
      return [
        `A part of ${database}, by the group ${access.rights.group}${orderOf(settings, database, access.rights.group)}.`,
        ...explainRights(access.rights),
      ]
    default: {
      const never: never = access
      return never
    }
  }
}

/** Which groups were looked at before. */
const orderOf = ({ groups }: RightsSettings, database: string, name: string): string => {
  const naming = groups.filter(one => hasGroupsFor({ groups: [one], people: {} }, database))
  const before = naming.slice(
    0,
    naming.findIndex((one: RightsGroup) => one.name === name),
  )
  return before.length === 0 ? '' : ` (not in ${before.map(one => one.name).join(', ')}, which come first)`
}

/** The restrictions of rights, a sentence each. */
export const explainRights = ({
  scope: { tables, columns },
  rowRules,
  columnMasks,
  mayExport,
  session,
}: DataRights): readonly string[] => [
  ...sentence('Only these tables', tables.include),
  ...sentence('Not these tables', tables.exclude),
  ...sentence('Not these columns', columns.exclude),
  ...sentence('Without the values of these columns', columns.mask),
  ...rowRules.map(({ table, condition }) => `Of ${table}, only rows where ${condition}.`),
  ...columnMasks.map(mask => `${mask.column} is shown ${maskWords(mask)}.`),
  ...(mayExport ? [] : ['Answers cannot be exported as CSV.']),
  ...(session.role === null ? [] : [`Statements run as the database role ${session.role}.`]),
  ...Object.entries(session.variables).map(([name, value]) => `The session variable ${name} is ${value}.`),
  ...(session.credentials === null ? [] : [`The connection uses the credentials ${session.credentials}.`]),
]

const sentence = (words: string, list: readonly string[]): readonly string[] =>
  list.length === 0 ? [] : [`${words}: ${list.join(', ')}.`]

const maskWords = (mask: ColumnMask): string => {
  switch (mask.mask) {
    case 'hash':
      return 'as a hash'
    case 'last-four':
      return 'with its last four characters'
    case 'bucket':
      return `in steps of ${mask.width}`
    default: {
      const never: never = mask
      return never
    }
  }
}
