import type { ReadScope } from '../database.ts'

/**
 * What the first group that a person belongs to gives them in one database. Plain data: all placeholders of row rules
 * and session variables are filled in, so two people with equal rights see the same rows.
 */
export interface DataRights {
  /** A short hash of everything that decides what is seen. Equal keys mean equal rows; part of every cache key. */
  readonly key: string
  /** The group in `access.groups` that gives these rights. */
  readonly group: string
  /** Tables and columns; `columns.mask` is the mask that hides every value. Applies on top of the database's own lists. */
  readonly scope: ReadScope
  readonly rowRules: readonly RowRule[]
  readonly columnMasks: readonly ColumnMask[]
  readonly mayExport: boolean
  readonly session: SessionRights
}

/** Rows of the matching tables are seen only if the condition holds. */
export interface RowRule {
  /** A table pattern, as in `ReadScope`. */
  readonly table: string
  /** An SQL condition over the columns of the table, in the dialect of the database. */
  readonly condition: string
}

/** How values of the matching columns are shown instead of as they are. */
export type ColumnMask = { readonly column: string } & (
  | { readonly mask: 'hash' }
  | { readonly mask: 'last-four' }
  /** Numbers, rounded down to a multiple of `width`. */
  | { readonly mask: 'bucket'; readonly width: number }
)

/** What the database itself is told about the person, so that its own policies apply. */
export interface SessionRights {
  /** The role to run as; null for the role of the connection. */
  readonly role: string | null
  /** Session variables by name, such as `app.person`. */
  readonly variables: Readonly<Record<string, string>>
  /** The name under which other credentials for this database are kept; null for those in querent.yml. */
  readonly credentials: string | null
}

/** A session without a role, variables, or credentials of its own. */
export const plainSession: SessionRights = { role: null, variables: {}, credentials: null }

/** The groups of querent.yml in order, and what admins state about people. */
export interface RightsSettings {
  readonly groups: readonly RightsGroup[]
  /** Claims by Slack id, for `{claim.NAME}`. */
  readonly people: Readonly<Record<string, Claims>>
}

/** Facts about a person by name, such as `region`. */
export type Claims = Readonly<Record<string, string>>

/** Who belongs to a group, and what it gives. */
export interface RightsGroup {
  readonly name: string
  readonly members: GroupMembers
  /** By database name. */
  readonly databases: Readonly<Record<string, GrantedRights>>
}

/** Everyone, or those who are listed, who are in a listed user group, or who have all of the claims. */
export type GroupMembers =
  | { readonly kind: 'everyone' }
  | {
      readonly kind: 'listed'
      /** Ids of people and of user groups, and e-mail addresses. */
      readonly ids: readonly string[]
      /** Null if claims do not count. */
      readonly claims: Claims | null
    }

/** What a group gives in one database. Conditions and variables still have placeholders such as `{person.id}`. */
export type GrantedRights = Omit<DataRights, 'key' | 'group'>

/**
 * The key of the masks that hash, as the two padded keys of HMAC-SHA256 in hexadecimal: 64 bytes each. The hash of a value
 * is `sha256(outer || sha256(inner || value))`.
 */
export interface HashKey {
  readonly inner: string
  readonly outer: string
}
