import { createHash } from 'node:crypto'
import type { DatabaseAccess } from '../../domain/access/access.ts'
import type {
  Claims,
  DataRights,
  GrantedRights,
  RightsGroup,
  RightsSettings,
} from '../../domain/access/data-rights.ts'
import { isUnrestrictedScope } from '../../domain/database.ts'

/** Who rights are for. */
export interface Identity {
  readonly id: string
  readonly email: string | null
  /** The user groups of Slack that the person belongs to. */
  readonly userGroups: ReadonlySet<string>
  readonly claims: Claims
}

/** Whether any group decides about a database; if not, everyone who can ask sees all of it. */
export const hasGroupsFor = ({ groups }: RightsSettings, database: string): boolean =>
  groups.some(group => grantOf(group, database) !== null)

/** User groups of Slack that decide about a database. */
export const userGroupsFor = ({ groups }: RightsSettings, database: string): readonly string[] => [
  ...new Set(
    groups
      .filter(group => grantOf(group, database) !== null)
      .flatMap(({ members }) => (members.kind === 'listed' ? members.ids.filter(isUserGroup) : [])),
  ),
]

/**
 * What a person sees of a database: what the first group gives that names the database and has them as a member. A
 * condition that cannot be filled in closes the database, because a rule left out would open it.
 */
export const resolveRights = (
  settings: RightsSettings,
  identity: Identity,
  database: string,
): DatabaseAccess => {
  if (!hasGroupsFor(settings, database)) return { kind: 'open', group: null }
  const group = settings.groups.find(one => grantOf(one, database) !== null && isMember(one, identity))
  const grant = group === undefined ? null : grantOf(group, database)
  if (group === undefined || grant === null)
    return { kind: 'closed', reason: `no group that may see ${database} includes this person` }
  return applyGrant(group.name, grant, identity)
}

/**
 * The key of the rights that a group gives everyone in it; `open` if it gives all. Null if there is no such group, or
 * if its rights depend on the person.
 */
export const classRightsKey = (
  settings: RightsSettings,
  name: string,
  database: string,
): string | 'open' | null => {
  const access = classAccess(settings, name, database)
  return access?.kind === 'restricted' ? access.rights.key : access?.kind === 'open' ? 'open' : null
}

/** What a group gives everyone in it; `closed` if that depends on the person, and null if it does not name the database. */
export const classAccess = (
  settings: RightsSettings,
  name: string,
  database: string,
): DatabaseAccess | null => {
  const group = settings.groups.find(one => one.name === name)
  const grant = group === undefined ? null : grantOf(group, database)
  return grant === null
    ? null
    : applyGrant(name, grant, { id: '', email: null, userGroups: new Set(), claims: {} })
}

const grantOf = ({ databases }: RightsGroup, database: string): GrantedRights | null =>
  Object.hasOwn(databases, database) ? (databases[database] ?? null) : null

/** Ids of user groups start with S, and those of people with U or W; only addresses have an @. */
const isUserGroup = (id: string): boolean => /^S[A-Z0-9]+$/.test(id)

const isMember = ({ members }: RightsGroup, { id, email, userGroups, claims }: Identity): boolean => {
  if (members.kind === 'everyone') return true
  const { ids, claims: wanted } = members
  const isListed = ids.some(
    one =>
      one === id ||
      (isUserGroup(one) && userGroups.has(one)) ||
      (email !== null && one.includes('@') && one.toLowerCase() === email.toLowerCase()),
  )
  if (isListed || wanted === null) return isListed
  const needed = Object.entries(wanted)
  return needed.length > 0 && needed.every(([name, value]) => claimOf(claims, name) === value)
}

const claimOf = (claims: Claims, name: string): string | null =>
  Object.hasOwn(claims, name) ? (claims[name] ?? null) : null

/** Fills in what a group gives. */
const applyGrant = (group: string, grant: GrantedRights, identity: Identity): DatabaseAccess => {
  const missing = new Set<string>()
  const fill = (text: string, write: (value: string) => string): string =>
    text.replace(placeholders, (whole, name: string) => {
      const value = factOf(identity, name)
      if (value === null) missing.add(whole)
      return write(value ?? '')
    })
  const rowRules = grant.rowRules.map(({ table, condition }) => ({
    table,
    condition: fill(condition, quoteText),
  }))
  const variables = Object.fromEntries(
    Object.entries(grant.session.variables).map(([name, text]) => [name, fill(text, value => value)]),
  )
  if (missing.size > 0)
    return {
      kind: 'closed',
      reason: `the group ${group} needs ${[...missing].join(', ')}, which is not known for this person`,
    }
  const { scope, columnMasks, mayExport } = grant
  const session = { ...grant.session, variables }
  const isOpen =
    isUnrestrictedScope(scope) &&
    rowRules.length === 0 &&
    columnMasks.length === 0 &&
    mayExport &&
    session.role === null &&
    session.credentials === null &&
    Object.keys(variables).length === 0
  if (isOpen) return { kind: 'open', group }
  const seen = { scope, rowRules, columnMasks, mayExport, session }
  return { kind: 'restricted', rights: { key: keyOf(seen), group, ...seen } }
}

const placeholders = /\{(person\.id|person\.email|claim\.[a-z][a-z0-9_-]*)\}/gi

const factOf = ({ id, email, claims }: Identity, name: string): string | null => {
  if (name === 'person.id') return isPlain(id) ? id : null
  const value = name === 'person.email' ? email : claimOf(claims, name.replace(/^claim\./, ''))
  return value !== null && isPlain(value) ? value : null
}

/**
 * Text that means itself in a quoted literal of every dialect: a backslash is an escape in some, and a control character
 * has no business in a fact about a person.
 */
const isPlain = (value: string): boolean => /^[^\\\p{Cc}\p{Cf}]{1,200}$/u.test(value)

const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Equal rights have equal keys; 64 bits, in hexadecimal. */
const keyOf = (seen: Omit<DataRights, 'key' | 'group'>): string => {
  const { scope, rowRules, columnMasks, mayExport, session } = seen
  const variables = Object.entries(session.variables).sort(([a], [b]) => (a < b ? -1 : 1))
  const content = [
    ...[scope.tables.include, scope.tables.exclude, scope.columns.exclude, scope.columns.mask],
    rowRules.map(({ table, condition }) => [table, condition]),
    columnMasks.map(mask => [mask.column, mask.mask, 'width' in mask ? mask.width : null]),
    ...[mayExport, session.role, session.credentials, variables],
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}
