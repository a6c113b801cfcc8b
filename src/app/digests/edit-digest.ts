import { type Digest, type DigestQuestion, mostQuestions } from '../../core/digest.ts'
import type { DigestFinding } from '../../core/digest-run.ts'
import type { DigestUseCases } from '../../core/digest-use-cases.ts'
import type { ParsedSchedule } from '../../core/schedule.ts'
import type { DigestDeps } from './digest-deps.ts'
import { changeDigest } from './hold-digest.ts'
import type { MayReceive } from './may-receive.ts'
import { needsNumber, noNumber } from './needs-number.ts'
import { readForm } from './read-form.ts'
import { whyNotThere } from './schedule-digest.ts'
import { whyNoRoom } from './why-no-room.ts'
import { writeDigestQuestion } from './write-digest-question.ts'

type EditUseCases = Pick<DigestUseCases, 'edit' | 'addQuestion' | 'removeQuestion'>

/** Makes the use cases that change what a digest is. Wherever it goes from then on, its owner has to be allowed there. */
export const makeEditDigest = (deps: DigestDeps & { readonly mayReceive: MayReceive }): EditUseCases => ({
  edit: async ({ digestId, person, form }) => {
    const read = readForm(deps, form)
    if (read.status !== 'read') return read
    const { title, schedule, condition, target } = read.form
    return changeDigest(
      deps,
      { digestId, person },
      {
        whyNot: digest => whyNotThere(deps.mayReceive, { ...digest, target }),
        change: async (digest, tx) => {
          // One that has such a condition already keeps it: its title can still be changed.
          const isNew = needsNumber(condition) && !needsNumber(digest.condition)
          if (isNew && !hasNumber(digest, await deps.listFindings(digest.id, tx)))
            return noNumber('What its last run found')
          const full = await whyNoRoom(deps, { ...digest, target }, { before: digest, person, tx })
          if (full) return full
          return {
            ...(title !== null && { title }),
            schedule,
            condition,
            target,
            ...(!isSame(schedule, digest.schedule) && {
              nextDue: digest.pause ? null : deps.nextDue(schedule, deps.now()),
            }),
          }
        },
      },
    )
  },

  addQuestion: async ({ digestId, questionId, person }) => {
    const written = await writeDigestQuestion(deps, { questionId, person })
    if (written.status !== 'written') return written
    const { question } = written
    const withIt = (digest: Digest): readonly DigestQuestion[] => [...digest.questions, question]
    return changeDigest(
      deps,
      { digestId, person },
      {
        whyNot: async digest =>
          digest.team === written.team
            ? whyNotThere(deps.mayReceive, { ...digest, questions: withIt(digest) })
            : { status: 'gone' },
        change: async digest => {
          if (digest.questions.length >= mostQuestions)
            return {
              status: 'unfit',
              field: 'question',
              reason: `A digest has ${mostQuestions} questions at most. Remove one, or make another digest.`,
            }
          const isThere = digest.questions.some(
            ({ database, statement }) =>
              database === question.database && statement.sql === question.statement.sql,
          )
          // A second click, or the same answer again: it is in there.
          return isThere ? {} : { questions: withIt(digest) }
        },
      },
    )
  },

  removeQuestion: async ({ digestId, digestQuestionId, person }) =>
    changeDigest(
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
              reason: 'It is the only question of this digest. Delete the digest instead.',
            }
          await deps.removeFinding(digestId, digestQuestionId, tx)
          const isRepaired = digest.repair?.questionId === digestQuestionId
          return { questions, ...(isRepaired && { repair: null }) }
        },
      },
    ),
})

/** One that stays as it is stays due when it was, which may be by now. */
const isSame = (one: ParsedSchedule, other: ParsedSchedule): boolean =>
  one.cron === other.cron && one.timeZone === other.timeZone

/** Whether any of its questions may give a number. One that has not run yet, or found no rows, may. */
const hasNumber = (
  { questions }: Digest,
  findings: ReadonlyMap<string, { readonly finding: DigestFinding }>,
): boolean =>
  questions.some(({ id }) => {
    const finding = findings.get(id)?.finding
    return finding?.kind !== 'rows' || finding.value !== null || finding.rows.length === 0
  })
