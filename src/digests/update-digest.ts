import type { NotAllowed } from '../domain/access/access.ts'
import type { Digest } from '../domain/digests/digest.ts'
import type { DigestRefusal } from '../domain/digests/use-cases.ts'
import type { Tx } from '../domain/operations/jobs.ts'
import type { DigestDeps, DigestPatch } from './digest-deps.ts'

/** The result of changing a digest. */
type DigestUpdateResult = { readonly status: 'changed'; readonly digest: Digest } | DigestRefusal

/** Why a person cannot see or change a digest; null for its owner and admins. */
export const digestRefusal = (
  { owner }: Digest,
  person: string,
  isAdmin: DigestDeps['isAdmin'],
): NotAllowed | null =>
  owner === person || isAdmin(person)
    ? null
    : {
        status: 'not-allowed',
        reason: "Only a digest's owner and admins can see or change it.",
        nextStep: 'Ask its owner to change it, or to make you the owner.',
      }

/** Gives up after this many attempts if the digest keeps changing while permissions are checked. */
const MAX_ATTEMPTS = 3

/** A change of a digest. */
interface DigestUpdate {
  /**
   * Checks permission. That may take seconds, so it holds no lock; if the owner, target or databases change meanwhile,
   * it is checked again.
   */
  readonly findRefusal?: (digest: Digest) => Promise<DigestRefusal | null>
  /** Called under the lock: returns the changes, or a refusal. It may only query the store. */
  readonly change: (digest: Digest, tx: Tx) => Promise<DigestPatch | DigestRefusal>
}

/** Changes the current digest for a person who has permission. */
export const updateDigest = async (
  deps: Pick<DigestDeps, 'digests' | 'inTransaction' | 'isAdmin'>,
  { digestId, person }: { readonly digestId: string; readonly person: string },
  { findRefusal, change }: DigestUpdate,
): Promise<DigestUpdateResult> => {
  for (let tried = 0; tried < MAX_ATTEMPTS; tried++) {
    const before = findRefusal ? await deps.digests.find(digestId) : null
    const refused = before && (digestRefusal(before, person, deps.isAdmin) ?? (await findRefusal?.(before)))
    if (refused) return refused
    const changed = await deps.inTransaction(async (tx): Promise<DigestUpdateResult | null> => {
      const digest = await deps.digests.lock(digestId, tx)
      if (!digest) return { status: 'gone' }
      const refused = digestRefusal(digest, person, deps.isAdmin)
      if (refused) return refused
      if (findRefusal && (before === null || accessKey(before) !== accessKey(digest))) return null
      const changes = await change(digest, tx)
      if (isRefusal(changes)) return changes
      if (Object.keys(changes).length === 0) return { status: 'changed', digest }
      const changed = await deps.digests.change(digestId, changes, tx)
      return changed ? { status: 'changed', digest: changed } : { status: 'gone' }
    })
    if (changed) return changed
  }
  return {
    status: 'not-allowed',
    reason: 'Someone else is changing this digest right now.',
    nextStep: 'Open it again, then try again.',
  }
}

/** The parts of a digest its permissions depend on. */
const accessKey = ({ owner, target, questions }: Digest): string =>
  JSON.stringify([owner, target, questions.map(({ database }) => database)])

const isRefusal = (given: DigestPatch | DigestRefusal): given is DigestRefusal => 'status' in given

/**
 * Why another digest would exceed a limit; null if there is room. Paused digests count too. The personal limit does not
 * apply to admins. The team is locked until the transaction ends, so that two people cannot both get the last place.
 */
export const findLimitRefusal = async (
  { digests, most, isAdmin }: Pick<DigestDeps, 'digests' | 'most' | 'isAdmin'>,
  { team, owner, target }: Pick<Digest, 'team' | 'owner' | 'target'>,
  {
    before,
    person,
    tx,
  }: {
    /** The current digest; null for a new one. It keeps what it already has. */
    readonly before: Pick<Digest, 'owner' | 'target'> | null
    /** The person who is told. */
    readonly person: string
    readonly tx: Tx
  },
): Promise<NotAllowed | null> => {
  const { perPerson, perChannel } = most
  const isNewOwner = perPerson !== null && before?.owner !== owner && !isAdmin(owner)
  const channel = target.kind === 'channel' && !isSameChannel(before?.target, target) ? target.channel : null
  if (!isNewOwner && (channel === null || perChannel === null)) return null
  await digests.lockTeam(team, tx)
  if (isNewOwner) {
    const known = await digests.count({ team, owner }, tx)
    if (known >= perPerson)
      return limitRefusal(
        `${owner === person ? 'You have' : 'They have'} ${formatDigestCount(known)}`,
        'one person',
      )
  }
  if (channel !== null && perChannel !== null) {
    const known = await digests.countIn({ team, channel }, tx)
    if (known >= perChannel)
      return limitRefusal(`That channel has ${formatDigestCount(known)}`, 'one channel')
  }
  return null
}

const isSameChannel = (one: Digest['target'] | undefined, other: Digest['target']): boolean =>
  one?.kind === 'channel' && other.kind === 'channel' && one.channel === other.channel

const formatDigestCount = (count: number): string => (count === 1 ? '1 digest' : `${count} digests`)

const limitRefusal = (what: string, whose: string): NotAllowed => ({
  status: 'not-allowed',
  reason: `${what}, which is the limit for ${whose}.`,
  nextStep:
    'Delete one that nobody reads, add this question to another digest, or ask an admin to raise the limit.',
})
