import {
  type Digest,
  type DigestFinding,
  type DigestQuestion,
  maxDigestQuestions,
  type ParsedSchedule,
} from '../domain/digests/digest.ts'
import type { DigestUseCases } from '../domain/digests/use-cases.ts'
import type { CanReceive, DigestDeps } from './digest-deps.ts'
import { makeDigestQuestion, needsNumber, noNumberRefusal, parseDigestForm } from './digest-form.ts'
import { findTargetRefusal } from './schedule-digest.ts'
import { findLimitRefusal, updateDigest } from './update-digest.ts'

type EditUseCases = Pick<DigestUseCases, 'edit' | 'addQuestion' | 'removeQuestion'>

/** Use cases that change a digest's content. The owner must have permission for the new target. */
export const makeEditDigest = (deps: DigestDeps & { readonly canReceive: CanReceive }): EditUseCases => ({
  edit: async ({ digestId, person, form }) => {
    const read = parseDigestForm(deps, form)
    if (read.status !== 'read') return read
    const { title, schedule, condition, target } = read.form
    return updateDigest(
      deps,
      { digestId, person },
      {
        findRefusal: digest => findTargetRefusal(deps.canReceive, { ...digest, target }),
        change: async (digest, tx) => {
          // A digest that already has such a condition keeps it, so that its title can still be changed.
          const isNew = needsNumber(condition) && !needsNumber(digest.condition)
          if (isNew && !hasNumber(digest, await deps.listFindings(digest.id, tx)))
            return noNumberRefusal('The result of its last run')
          const overLimit = await findLimitRefusal(
            deps,
            { ...digest, target },
            { before: digest, person, tx },
          )
          if (overLimit) return overLimit
          return {
            ...(title !== null && { title }),
            schedule,
            condition,
            target,
            ...(!isSameSchedule(schedule, digest.schedule) && {
              nextDue: digest.pause ? null : deps.nextDue(schedule, deps.now()),
            }),
          }
        },
      },
    )
  },

  addQuestion: async ({ digestId, questionId, person }) => {
    const written = await makeDigestQuestion(deps, { questionId, person })
    if (written.status !== 'written') return written
    const { question } = written
    const withQuestion = (digest: Digest): readonly DigestQuestion[] => [...digest.questions, question]
    return updateDigest(
      deps,
      { digestId, person },
      {
        findRefusal: async digest =>
          digest.team === written.team
            ? findTargetRefusal(deps.canReceive, { ...digest, questions: withQuestion(digest) })
            : { status: 'gone' },
        change: async digest => {
          if (digest.questions.length >= maxDigestQuestions)
            return {
              status: 'unfit',
              field: 'question',
              reason: `A digest has ${maxDigestQuestions} questions at most. Remove one, or create another digest.`,
            }
          const exists = digest.questions.some(
            ({ database, statement }) =>
              database === question.database && statement.sql === question.statement.sql,
          )
          // A second click or the same answer again: it is already included.
          return exists ? {} : { questions: withQuestion(digest) }
        },
      },
    )
  },

  removeQuestion: async ({ digestId, digestQuestionId, person }) =>
    updateDigest(
      deps,
      { digestId, person },
      {
        change: async (digest, tx) => {
          const questions = digest.questions.filter(({ id }) => id !== digestQuestionId)
          if (questions.length === digest.questions.length) return { status: 'gone' }
          if (questions.length === 0)
            return {
              status: 'unfit',
              field: 'question',
              reason: "This is the digest's only question. Delete the digest instead.",
            }
          await deps.removeFinding(digestId, digestQuestionId, tx)
          const isRepaired = digest.repair?.questionId === digestQuestionId
          return { questions, ...(isRepaired && { repair: null }) }
        },
      },
    ),
})

/** An unchanged schedule keeps its due time, which may be now. */
const isSameSchedule = (one: ParsedSchedule, other: ParsedSchedule): boolean =>
  one.cron === other.cron && one.timeZone === other.timeZone

/** Whether any of its questions may return a number. One that has not run yet, or found no rows, may. */
const hasNumber = (
  { questions }: Digest,
  findings: ReadonlyMap<string, { readonly finding: DigestFinding }>,
): boolean =>
  questions.some(({ id }) => {
    const finding = findings.get(id)?.finding
    return finding?.kind !== 'rows' || finding.value !== null || finding.rows.length === 0
  })
