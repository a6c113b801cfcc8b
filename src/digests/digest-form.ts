import type { NotAllowed } from '../domain/access/access.ts'
import { parseDatabaseRef, withoutRights } from '../domain/database.ts'
import type { DigestCondition, DigestQuestion, ParsedSchedule } from '../domain/digests/digest.ts'
import type { DigestForm, DigestRefusal } from '../domain/digests/use-cases.ts'
import type { DigestDeps } from './digest-deps.ts'

const MAX_TITLE_LENGTH = 150

/** A parsed digest form. */
interface ParsedForm {
  readonly title: string | null
  readonly schedule: ParsedSchedule
  readonly condition: DigestCondition
  readonly target: DigestForm['target']
}

/** Parses a form; returns the first problem. */
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
      return Number.isFinite(condition.value) ? null : 'The value is not a number. Enter one, such as 1500.'
    case 'moved':
      return Number.isFinite(condition.percent) && condition.percent > 0
        ? null
        : 'The percentage must be a number above 0, such as 10.'
    default: {
      const never: never = condition
      return never
    }
  }
}

/** Whether a condition compares a number. */
export const needsNumber = ({ kind }: DigestCondition): boolean => kind !== 'always' && kind !== 'changed'

/** Refuses a numeric condition that can never be met; `what` names the thing without a number, such as `The answer`. */
export const noNumberRefusal = (what: string): DigestRefusal => ({
  status: 'unfit',
  field: 'condition',
  reason: `${what} has no number to compare with. Choose Always or Only when it changed, or schedule an answer that counts or sums something.`,
})

/** An answer as a digest question; `team` is where it was asked. */
interface NewDigestQuestion {
  readonly status: 'written'
  readonly question: DigestQuestion
  readonly team: string
  readonly notes: readonly string[]
  /** The saved rows of the answer. */
  readonly resultId: string
}

/** Turns the current answer into a digest question, for a person who can see it. */
export const makeDigestQuestion = async (
  deps: Pick<
    DigestDeps,
    | 'findAnswered'
    | 'findUnderstanding'
    | 'openDatabase'
    | 'access'
    | 'readRelativeSql'
    | 'snapshotSchema'
    | 'loadResult'
    | 'newId'
  >,
  { questionId, person }: { readonly questionId: string; readonly person: string },
): Promise<NewDigestQuestion | DigestRefusal> => {
  const answered = await deps.findAnswered(questionId)
  if (!answered) return { status: 'gone' }
  const { question, location, sql, resultId } = answered
  const { team, channel } = location
  const { database: view } = question
  const access = await deps.access.mayAsk({ person, location: { team, channel }, database: view })
  if (access.status !== 'allowed') return notAllowed(access)
  const database = await deps.openDatabase(view)
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse')
    return { status: 'unfit', field: 'question', reason: `I can't run its SQL: ${verdict.reason}.` }
  const understanding = await deps.findUnderstanding(questionId)
  const { dialect, catalog } = database
  const known = deps.snapshotSchema(verdict.guarded.sql, database, await deps.loadResult(resultId))
  const { statement, notes } = deps.readRelativeSql({ sql: verdict.guarded.sql, dialect, understanding })
  return {
    status: 'written',
    team,
    notes,
    resultId,
    question: {
      id: deps.newId(),
      // A follow-up only says what is different; its understood text is the whole question.
      text: understanding?.followUp || understanding?.rewritten ? understanding.text : question.text,
      // The owner's rights are looked up at each run.
      database: withoutRights(view),
      rights: parseDatabaseRef(view).rights,
      statement,
      fingerprint: catalog.fingerprint,
      ...(known && { known }),
    },
  }
}

const notAllowed = ({ reason, nextStep }: { reason: string; nextStep: string }): NotAllowed => ({
  status: 'not-allowed',
  reason,
  nextStep,
})
