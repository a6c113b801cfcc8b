import type { Digest, NextDue, ParsedSchedule } from '../domain/digests/digest.ts'
import type { DigestRefusal, DigestUseCases } from '../domain/digests/use-cases.ts'
import type { CanReceive, DigestDeps } from './digest-deps.ts'
import { makeDigestQuestion, needsNumber, noNumberRefusal, parseDigestForm } from './digest-form.ts'
import { findLimitRefusal } from './update-digest.ts'

/** Due times shown after a digest is created. */
const PREVIEWED_RUNS = 3

const MAX_TITLE_LENGTH = 80

/** Creates a digest from an answer. The same form submitted twice creates one. */
export const makeScheduleDigest =
  (deps: DigestDeps & { readonly canReceive: CanReceive }): DigestUseCases['schedule'] =>
  async ({ questionId, person, form, request }) => {
    const read = parseDigestForm(deps, form)
    if (read.status !== 'read') return read
    const written = await makeDigestQuestion(deps, { questionId, person })
    if (written.status !== 'written') return written
    const { question, team, notes, resultId } = written
    const { schedule, condition, target } = read.form
    const unfit = needsNumber(condition) ? await findMissingNumber(deps, resultId) : null
    if (unfit) return unfit
    const at = deps.now()
    const digest: Digest = {
      id: deps.newId(),
      team,
      owner: person,
      title: read.form.title ?? cut(question.text),
      questions: [question],
      schedule,
      condition,
      target,
      pause: null,
      nextDue: deps.nextDue(schedule, at),
      failures: 0,
      createdAt: at,
      repair: null,
    }
    const key = `${team} ${person} ${request}`
    // The existing digest is returned and does not count twice.
    const before = await deps.digests.findByRequest(key)
    const refused =
      before === null
        ? ((await findTargetRefusal(deps.canReceive, digest)) ?? (await deps.limit({ person, team })))
        : null
    if (refused) return refused
    const made = before ? 'known' : await insertWithinLimit(deps, digest, { key, person })
    if (typeof made !== 'string') return made
    const stored = made === 'new' ? digest : (before ?? (await deps.digests.findByRequest(key)))
    // It was deleted between the two clicks.
    if (!stored) return { status: 'gone' }
    return { status: 'scheduled', digest: stored, next: nextRuns(deps.nextDue, stored.schedule, at), notes }
  }

/** Stores it if the limit allows. `known`: the same form created one at the same moment. */
const insertWithinLimit = (
  deps: DigestDeps,
  digest: Digest,
  { key, person }: { readonly key: string; readonly person: string },
): Promise<'new' | 'known' | DigestRefusal> =>
  deps.inTransaction(async tx => {
    const overLimit = await findLimitRefusal(deps, digest, { before: null, person, tx })
    // The same form, submitted twice, may have taken the last place itself.
    if (overLimit) return (await deps.digests.findByRequest(key, tx)) ? 'known' : overLimit
    return (await deps.digests.insert(digest, key, tx)) ? 'new' : 'known'
  })

/**
 * Why a numeric condition can never be met by an answer. Null if there may be a number: expired rows, or a numeric
 * column whose first value is missing today, are no reason to refuse.
 */
const findMissingNumber = async (
  { loadResult, findingOf }: Pick<DigestDeps, 'loadResult' | 'findingOf'>,
  resultId: string,
): Promise<DigestRefusal | null> => {
  const table = await loadResult(resultId)
  if (!table || table.rows.length === 0 || findingOf(table).value !== null) return null
  if (table.columns.some(({ kind }) => kind === 'integer' || kind === 'number')) return null
  return noNumberRefusal('The answer')
}

/** Why a digest cannot go to its target; null if it can. While a person waits, unknown counts as not allowed. */
export const findTargetRefusal = async (
  canReceive: CanReceive,
  digest: Parameters<CanReceive>[0],
): Promise<DigestRefusal | null> => {
  if (digest.target.kind === 'person' && digest.target.person !== digest.owner)
    return {
      status: 'unfit',
      field: 'target',
      reason: 'A digest goes to a channel, or to its owner alone. Choose a channel or yourself.',
    }
  const access = await canReceive(digest)
  if (access.status === 'allowed') return null
  return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
}

/** The next few due times. */
export const nextRuns = (nextDue: NextDue, schedule: ParsedSchedule, after: Date): readonly Date[] => {
  const found: Date[] = []
  for (
    let due = nextDue(schedule, after);
    due !== null && found.length < PREVIEWED_RUNS;
    due = nextDue(schedule, due)
  )
    found.push(due)
  return found
}

const cut = (text: string): string =>
  text.length > MAX_TITLE_LENGTH ? `${text.slice(0, MAX_TITLE_LENGTH - 1).toWellFormed()}…` : text
