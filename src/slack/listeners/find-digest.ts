import type { Digest } from '../../core/digest.ts'
import type { DigestUseCases } from '../../core/digest-use-cases.ts'

/**
 * The digest that somebody clicked on, or why they may not see it. One of another workspace is not there: a button is good
 * only where it was posted (threat T7).
 */
export const findDigest = async (
  { find }: Pick<DigestUseCases, 'find'>,
  given: { readonly digestId: string; readonly person: string; readonly team: string },
): Promise<
  | { readonly status: 'found'; readonly digest: Digest }
  | { readonly status: 'not-found'; readonly said: string }
> => {
  const found = await find({ digestId: given.digestId, person: given.person })
  if (found === null) return digestNotFound
  if ('status' in found) return { status: 'not-found', said: `${found.reason} ${found.nextStep}` }
  return found.team === given.team ? { status: 'found', digest: found } : digestNotFound
}

const digestNotFound = { status: 'not-found', said: 'This digest is not there any more.' } as const
