import type { DigestCondition } from './digest.ts'

/** What a digest is to be, as somebody types it: `every monday at 9 if it changed in #sales`. */
export interface ParsedDigest {
  /** Words or cron; can be read as a schedule. */
  readonly schedule: string
  /** Named in the words; null where none is. */
  readonly timeZone: string | null
  readonly condition: DigestCondition
  /** Where it goes; null where nothing is said of it. `name`: a channel as people call it, without the `#`. */
  readonly target:
    | { readonly kind: 'asker' }
    | { readonly kind: 'person'; readonly person: string }
    | { readonly kind: 'channel'; readonly channel: string }
    | { readonly kind: 'channel-name'; readonly name: string }
    | null
}

/** Reads it. `reason` says what is not understood, and `askAgainHint` what is, and what would be. Pure, never throws. */
export type ParseDigestWords = (
  text: string,
) =>
  | { readonly status: 'read'; readonly digest: ParsedDigest }
  | { readonly status: 'unclear'; readonly reason: string; readonly nextStep: string }
