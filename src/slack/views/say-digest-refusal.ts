import type { DigestRefusal } from '../../core/digest-use-cases.ts'

/** Why something was not done with a digest, and what to do, in plain text. */
export const formatDigestRefusal = (refusal: DigestRefusal): string => {
  switch (refusal.status) {
    case 'not-allowed':
      return `${refusal.reason} ${refusal.nextStep}`
    case 'gone':
      return 'It is not there any more.'
    case 'unfit':
      return refusal.reason
    default: {
      const never: never = refusal
      return never
    }
  }
}
