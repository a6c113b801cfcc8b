import type { Digest } from '../../core/digest.ts'
import type { DigestRefusal } from '../../core/digest-use-cases.ts'
import { QuerentError } from '../../core/errors.ts'
import { digestForm } from '../views/digest-form.ts'
import type { Modal } from '../views/modal.ts'
import { sayDigestRefusal } from '../views/say-digest-refusal.ts'
import type { FormOutcome } from './finish-in-modal.ts'

/** The form again, with what was wrong. */
export type FormAgain = (problem: string) => Modal

/** A refusal of a use case as the form shows it: at the field that it is about. */
export const refusedForm = (refusal: DigestRefusal, formAgain: FormAgain): FormOutcome => {
  const said = sayDigestRefusal(refusal)
  const block = refusal.status === 'unfit' ? fields[refusal.field] : digestForm.where
  return { status: 'refused', errors: { [block]: said }, formAgain: formAgain(said), said }
}

/** What broke, said without what it was: the log has that. */
export const brokenForm = (error: unknown, formAgain: FormAgain): FormOutcome => {
  const said =
    error instanceof QuerentError ? error.message : 'Something broke on my side. Try again in a moment.'
  return { status: 'refused', errors: { [digestForm.title]: said }, formAgain: formAgain(said), said }
}

/** The names of digests in the store's and in the form's terms. */
const fields: Readonly<Record<Extract<DigestRefusal, { status: 'unfit' }>['field'], string>> = {
  question: digestForm.title,
  title: digestForm.title,
  schedule: digestForm.schedule,
  condition: digestForm.value,
  target: digestForm.channel,
  person: digestForm.person,
}

/** What a use case that changes a digest resolves with. */
export type ChangedDigest = { readonly status: 'changed'; readonly digest: Digest } | DigestRefusal
