import type { NotAllowed } from '../../core/access.ts'
import type { Digest } from '../../core/digest.ts'
import type { Tx } from '../../core/tx.ts'
import type { DigestDeps } from './digest-deps.ts'

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
  reason: `${what}, and no more are kept of ${whose}.`,
  nextStep:
    'Delete one that nobody reads, put its question into another, or ask an admin to raise the limit.',
})
