import type { NotAllowed } from '../domain/access.ts'
import type { Digest } from '../domain/digest.ts'
import type { DigestRefusal } from '../domain/digest-use-cases.ts'
import type { Tx } from '../domain/operations/transaction.ts'
import type { DigestDeps, DigestPatch } from './digest-deps.ts'

/** How a change of a digest went. */
type DigestUpdateResult = { readonly status: 'changed'; readonly digest: Digest } | DigestRefusal

/** Why a person may not do anything with a digest; null for its owner and for admins. */
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

/** Somebody who changes a digest again and again while its rights are looked at is not waited for any longer. */
const MAX_ATTEMPTS = 3

/** What people change of a digest, and how. */
interface DigestUpdate {
  /**
   * Asks whoever has to be asked whether it may be. That may take seconds, so nobody is kept out meanwhile: where what
   * counts for rights has been changed by then, it is asked again.
   */
  readonly findRefusal?: (digest: Digest) => Promise<DigestRefusal | null>
  /** Called while nobody else can change it: gives what is to be changed, or why it is not. Asks only the store. */
  readonly change: (digest: Digest, tx: Tx) => Promise<DigestPatch | DigestRefusal>
}

/** Changes a digest for somebody who may, from what it is now. */
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

/** What of a digest its rights depend on. */
const accessKey = ({ owner, target, questions }: Digest): string =>
  JSON.stringify([owner, target, questions.map(({ database }) => database)])

const isRefusal = (given: DigestPatch | DigestRefusal): given is DigestRefusal => 'status' in given

/**
 * Why there may not be this digest beside those that there are; null where there is room. Counted are all that are kept,
 * also those that rest. The limit of one person does not hold for admins. Until the transaction is over nobody else of the
 * team is counted, so that two who come at once do not both get the last place.
 */
export const findLimitRefusal = async (
  { digests, most, isAdmin }: Pick<DigestDeps, 'digests' | 'most' | 'isAdmin'>,
  { team, owner, target }: Pick<Digest, 'team' | 'owner' | 'target'>,
  {
    before,
    person,
    tx,
  }: {
    /** As it is now; null where it is new. What it has already it keeps. */
    readonly before: Pick<Digest, 'owner' | 'target'> | null
    /** Who is told. */
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
