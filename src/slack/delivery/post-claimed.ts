import type { Log } from '../../core/log.ts'

/** The log of one message: whether somebody began to post it, and as what it is there. */
export interface PostClaim {
  /** False when it was claimed before. */
  claim(): Promise<boolean>
  /** Its `ts`; null while it is not known. */
  findTs(): Promise<string | null>
  store(ts: string): Promise<unknown>
}

/**
 * Posts a message once, and returns its `ts`. The claim is stored before the post and the `ts` after. A crash between the
 * two, and a post whose answer was lost, leave a doubt: then the message is looked for, where that is possible, and posted
 * again where it is not found, because a second message is better than none.
 */
export const postIdempotently = async (
  log: Log,
  claim: PostClaim,
  message: {
    /** What it is, for the log. */
    readonly about: Readonly<Record<string, unknown>>
    /** Its `ts`, where it can be looked for and is there. */
    readonly look?: () => Promise<string | null>
    readonly post: () => Promise<string>
  },
): Promise<string> => {
  const isFirst = await claim.claim()
  const known = isFirst ? null : await claim.findTs()
  if (known !== null) return known
  const found = isFirst ? null : ((await message.look?.()) ?? null)
  if (!isFirst && found === null)
    log.warn(message.about, 'it is in doubt whether a message was posted; posting it again')
  const ts = found ?? (await message.post())
  await claim.store(ts)
  return ts
}
