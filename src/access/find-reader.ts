import type { FindDatabaseAccess } from '../domain/access/access.ts'
import { type FindReader, seesEveryValue, seesNoValue } from '../domain/access/sees-value.ts'
import { parseDatabaseRef } from '../domain/database.ts'
import type { Log } from '../domain/operations/telemetry.ts'

/**
 * Finds out how a person reads what was written under the rights of somebody: whole under the same rights, or if they
 * see everything; else without values. The rights to rows decide, and nothing else: an admin is a reader like any other.
 */
export const makeFindReader =
  ({ databaseAccess, log }: { readonly databaseAccess: FindDatabaseAccess; readonly log: Log }): FindReader =>
  async ({ person, team, writtenFor }) => {
    const { database, rights } = parseDatabaseRef(writtenFor)
    try {
      const access = await databaseAccess({ person, team, database })
      switch (access.kind) {
        case 'open':
          return seesEveryValue
        case 'closed':
          return seesNoValue
        case 'restricted':
          return access.rights.key === rights ? seesEveryValue : seesNoValue
        default: {
          const never: never = access
          return never
        }
      }
    } catch (error) {
      log.warn({ error, person, team }, 'Slack did not tell who reads; values are left out')
      return seesNoValue
    }
  }
