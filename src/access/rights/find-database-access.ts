import type {
  AccessFactSource,
  DatabaseAccess,
  FindDatabaseAccess,
  LookupPatience,
} from '../../domain/access/access.ts'
import type { Claims, RightsSettings } from '../../domain/access/data-rights.ts'
import { hasGroupsFor, resolveRights, userGroupsFor } from './resolve-rights.ts'
import type { RightsRegistry } from './rights-registry.ts'

/** Looks up what Slack knows about a person, and decides what they see. Nothing is looked up if no group matters. */
export const makeFindDatabaseAccess = ({
  settings,
  facts,
  registry,
}: {
  readonly settings: RightsSettings
  readonly facts: Pick<AccessFactSource, 'person' | 'members'>
  readonly registry: Pick<RightsRegistry, 'add'>
}): FindDatabaseAccess => {
  const userGroupsOf = async (
    person: string,
    ids: readonly string[],
    patience: LookupPatience,
  ): Promise<ReadonlySet<string>> => {
    const members = await Promise.all(ids.map(id => facts.members(id, patience)))
    return new Set(ids.filter((_, at) => members[at]?.includes(person)))
  }

  return async ({ person, database }, { patience = 'quick' } = {}) => {
    if (!hasGroupsFor(settings, database)) return { kind: 'open', group: null }
    const [{ email = null }, userGroups] = await Promise.all([
      facts.person(person, patience),
      userGroupsOf(person, userGroupsFor(settings, database), patience),
    ])
    const identity = { id: person, email, userGroups, claims: claimsOf(settings, person) }
    return registered(resolveRights(settings, identity, database), registry)
  }
}

/** What a person sees who is known by an id and claims alone, as callers without Slack are. */
export const findCallerAccess = (
  settings: RightsSettings,
  {
    person,
    claims,
    database,
  }: { readonly person: string; readonly claims: Claims; readonly database: string },
  registry: Pick<RightsRegistry, 'add'>,
): DatabaseAccess => {
  const identity = {
    id: person,
    email: person.includes('@') ? person : null,
    userGroups: new Set<string>(),
    claims: { ...claimsOf(settings, person), ...claims },
  }
  return registered(resolveRights(settings, identity, database), registry)
}

const claimsOf = ({ people }: RightsSettings, person: string): Claims =>
  (Object.hasOwn(people, person) ? people[person] : undefined) ?? {}

/** The process must know the rights before their key is in a reference. */
const registered = (access: DatabaseAccess, registry: Pick<RightsRegistry, 'add'>): DatabaseAccess => {
  if (access.kind === 'restricted') registry.add(access.rights)
  return access
}
