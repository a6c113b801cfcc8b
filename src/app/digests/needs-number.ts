import type { DigestCondition } from '../../core/digest.ts'
import type { DigestRefusal } from '../../core/digest-use-cases.ts'

/** Whether a condition compares a number. */
export const needsNumber = ({ kind }: DigestCondition): boolean => kind !== 'always' && kind !== 'changed'

/** A condition that can never be met; `what` has no number, for instance `The answer`. */
export const noNumberRefusal = (what: string): DigestRefusal => ({
  status: 'unfit',
  field: 'condition',
  reason: `${what} has no number to compare with. Choose Always or Only when it changed, or schedule an answer that counts or sums something.`,
})
