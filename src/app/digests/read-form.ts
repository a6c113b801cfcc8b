import type { DigestCondition } from '../../core/digest.ts'
import type { DigestForm, DigestRefusal } from '../../core/digest-use-cases.ts'
import type { ParsedSchedule } from '../../core/schedule.ts'
import type { DigestDeps } from './digest-deps.ts'

const MAX_TITLE_LENGTH = 150

/** What a person filled in, read. */
export interface ParsedForm {
  readonly title: string | null
  readonly schedule: ParsedSchedule
  readonly condition: DigestCondition
  readonly target: DigestForm['target']
}

/** Reads a form; the first thing that does not fit is told. */
export const parseDigestForm = (
  { parseSchedule }: Pick<DigestDeps, 'parseSchedule'>,
  form: DigestForm,
): { readonly status: 'read'; readonly form: ParsedForm } | DigestRefusal => {
  const title = form.title?.replace(/\s+/g, ' ').trim() ?? ''
  if (title.length > MAX_TITLE_LENGTH)
    return {
      status: 'unfit',
      field: 'title',
      reason: `The title has more than ${MAX_TITLE_LENGTH} characters.`,
    }
  const read = parseSchedule(form.schedule, form.timeZone)
  if (read.status === 'unclear')
    return { status: 'unfit', field: 'schedule', reason: `${read.reason} ${read.nextStep}` }
  const reason = conditionProblem(form.condition)
  if (reason !== null) return { status: 'unfit', field: 'condition', reason }
  const { schedule } = read
  const { condition, target } = form
  return { status: 'read', form: { title: title === '' ? null : title, schedule, condition, target } }
}

const conditionProblem = (condition: DigestCondition): string | null => {
  switch (condition.kind) {
    case 'always':
    case 'changed':
      return null
    case 'above':
    case 'below':
      return Number.isFinite(condition.value) ? null : 'The value is not a number. Write one, such as 1500.'
    case 'moved':
      return Number.isFinite(condition.percent) && condition.percent > 0
        ? null
        : 'The percentage is not a number above 0. Write one, such as 10.'
    default: {
      const never: never = condition
      return never
    }
  }
}
