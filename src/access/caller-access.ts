import type { AccessControl, DatabaseAccess, NotAllowed } from '../domain/access/access.ts'
import { formatDatabaseRef, parseDatabaseRef, withoutRights } from '../domain/database.ts'
import type { AdmitCaller, Caller, ListCallerDatabases } from '../domain/operations/caller.ts'
import type { Log } from '../domain/operations/telemetry.ts'

/** Decides for people who ask through programs: the shell's rights, those of a token, or what Slack allows the person. */
export const makeListCallerDatabases =
  (deps: {
    /** What the command line may ask, the default first. */
    readonly shell: readonly string[]
    /** The database of a token that names none. */
    readonly byDefault: string
    /** What someone sees of a database who is known by a name and claims alone. */
    readonly rightsOf: (
      caller: Pick<Caller, 'claims'> & { readonly person: string; readonly database: string },
    ) => DatabaseAccess
    /** Null if Slack is not set up. */
    readonly reachableDatabases: AccessControl['reachableDatabases'] | null
    readonly log: Log
  }): ListCallerDatabases =>
  async ({ person, team, databases: only, claims = {} }: Caller) => {
    if (person === null) return deps.shell
    if (team === null) {
      const open = (only ?? [deps.byDefault]).flatMap(database => {
        const seen = deps.rightsOf({ person, claims, database })
        if (seen.kind === 'closed') return []
        const rights = seen.kind === 'restricted' ? seen.rights.key : null
        return [formatDatabaseRef({ ...parseDatabaseRef(database), rights })]
      })
      return open.length > 0 ? open : refusal.nothingToAsk
    }
    if (deps.reachableDatabases === null) return refusal.unknownPerson
    try {
      const reachable = await deps.reachableDatabases({ person, team, patience: 'patient' })
      const names = reachable.toSorted((a, b) => Number(b.direct) - Number(a.direct)).map(one => one.database)
      const allowed = only === null ? names : only.flatMap(own => names.filter(name => isCalled(name, own)))
      return allowed.length > 0 ? [...new Set(allowed)] : refusal.nothingToAsk
    } catch (error) {
      deps.log.warn({ error, person, team }, 'Slack did not tell what a person can ask')
      return refusal.unknownPerson
    }
  }

/** Chooses the database that a caller asks among those that they can. */
export const makeAdmitCaller =
  (databasesOf: ListCallerDatabases): AdmitCaller =>
  async (caller, named) => {
    const names = await databasesOf(caller)
    if (!isList(names)) return names
    const [byDefault] = names
    const database =
      named === null ? byDefault : (names.find(name => name === named) ?? onlyCalled(names, named))
    return database === undefined
      ? refusal.otherDatabase(withoutRights(named ?? ''), names.map(withoutRights))
      : { status: 'admitted', database }
  }

const isList = (names: readonly string[] | NotAllowed): names is readonly string[] => Array.isArray(names)

/** Whether a name with or without a glossary is that of a database. */
const isCalled = (name: string, database: string): boolean =>
  name === database || withoutRights(name) === database || parseDatabaseRef(name).database === database

const onlyCalled = (names: readonly string[], database: string): string | undefined => {
  const called = names.filter(name => isCalled(name, database))
  return called.length === 1 ? called[0] : undefined
}

const notAllowed = (reason: string, nextStep: string): NotAllowed => ({
  status: 'not-allowed',
  reason,
  nextStep,
})

const refusal = {
  otherDatabase: (named: string, names: readonly string[]): NotAllowed =>
    notAllowed(`You can't ask a database called “${named}” here.`, `Ask one of these: ${names.join(', ')}.`),
  nothingToAsk: notAllowed(
    'There is no database that you can ask.',
    'Write to me in Slack to see why. An admin can change it under `channels` and `directMessages` in querent.yml.',
  ),
  unknownPerson: notAllowed(
    "Slack did not tell me who you are, so I can't check what you can ask.",
    'Try again in a minute. If it keeps happening, an admin can run `querent doctor`.',
  ),
} as const
