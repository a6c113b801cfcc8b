import type { Digest } from '../../core/digest.ts'
import type { DigestRefusal } from '../../core/digest-use-cases.ts'
import { QuerentError } from '../../core/errors.ts'
import { digestFormIds } from '../views/digest-form.ts'
import type { Modal } from '../views/modal.ts'
import { formatDigestRefusal } from '../views/say-digest-refusal.ts'
import type { FormOutcome } from './finish-in-modal.ts'

/** The form again, with what was wrong. */
export type RebuildForm = (problem: string) => Modal

/** A refusal of a use case as the form shows it: at the field that it is about. */
export const refusedOutcome = (refusal: DigestRefusal, formAgain: RebuildForm): FormOutcome => {
  const said = formatDigestRefusal(refusal)
  const block = refusal.status === 'unfit' ? blockOfField[refusal.field] : digestFormIds.where
  return { status: 'refused', errors: { [block]: said }, formAgain: formAgain(said), said }
}

/** What broke, said without what it was: the log has that. */
export const failedOutcome = (error: unknown, formAgain: RebuildForm): FormOutcome => {
  const said =
    error instanceof QuerentError ? error.message : 'Something broke on my side. Try again in a moment.'
  return { status: 'refused', errors: { [digestFormIds.title]: said }, formAgain: formAgain(said), said }
}

/** The names of digests in the store's and in the form's terms. */
const blockOfField: Readonly<Record<Extract<DigestRefusal, { status: 'unfit' }>['field'], string>> = {
  question: digestFormIds.title,
  title: digestFormIds.title,
  schedule: digestFormIds.schedule,
  condition: digestFormIds.value,
  target: digestFormIds.channel,
  person: digestFormIds.person,
}

/** What a use case that changes a digest resolves with. */
export type ChangedDigest = { readonly status: 'changed'; readonly digest: Digest } | DigestRefusal
