import type { Digest, DigestRun, DigestTarget } from '../domain/digests/digest.ts'
import type { DigestRefusal, DigestUseCases } from '../domain/digests/use-cases.ts'
import type { CanReceive, DigestDeps, DigestPatch } from './digest-deps.ts'
import { findTargetRefusal } from './schedule-digest.ts'
import { digestRefusal, findLimitRefusal, updateDigest } from './update-digest.ts'

type ManageUseCases = Pick<
  DigestUseCases,
  'pause' | 'resume' | 'remove' | 'handOver' | 'runNow' | 'decideRepair'
>

/** Two clicks within this time are a double click, not a request for two runs. */
const DOUBLE_CLICK_MS = 5_000

/** Use cases that leave a digest's questions unchanged. */
export const makeManageDigest = (deps: DigestDeps & { readonly canReceive: CanReceive }): ManageUseCases => {
  const running = ({ schedule }: Pick<Digest, 'schedule'>): DigestPatch => ({
    pause: null,
    failures: 0,
    repair: null,
    nextDue: deps.nextDue(schedule, deps.now()),
  })
  return {
    pause: given =>
      updateDigest(deps, given, {
        change: async digest =>
          digest.pause
            ? {}
            : { pause: { why: 'by-person', by: given.person, at: deps.now() }, nextDue: null },
      }),

    // An active digest is left as it is: its next due time must not move.
    resume: given =>
      updateDigest(deps, given, { change: async digest => (digest.pause ? running(digest) : {}) }),

    remove: ({ digestId, person }) =>
      deps.inTransaction(async tx => {
        const digest = await deps.digests.lock(digestId, tx)
        if (!digest) return { status: 'gone' }
        const refused = digestRefusal(digest, person, deps.isAdmin)
        if (refused) return refused
        await deps.digests.remove(digestId, tx)
        return { status: 'changed', digest }
      }),

    handOver: ({ digestId, person, to }) => {
      // A private digest goes to the new owner instead of the old one.
      const newTarget = ({ target }: Digest): DigestTarget =>
        target.kind === 'person' ? { kind: 'person', person: to } : target
      return updateDigest(
        deps,
        { digestId, person },
        {
          findRefusal: async digest => {
            if (to === digest.owner) return null
            const access = await deps.canReceive({ ...digest, owner: to, target: newTarget(digest) })
            if (access.status === 'allowed') return null
            if (access.status === 'unknown') return unknownAccess
            return { status: 'unfit', field: 'person', reason: `${access.reason} ${access.nextStep}` }
          },
          change: async (digest, tx): Promise<DigestPatch | DigestRefusal> => {
            if (to === digest.owner) return {}
            const overLimit = await findLimitRefusal(
              deps,
              { ...digest, owner: to },
              { before: digest, person, tx },
            )
            if (overLimit) return overLimit
            const wasUnavailable = digest.pause?.why === 'not-allowed'
            return { owner: to, target: newTarget(digest), ...(wasUnavailable && running(digest)) }
          },
        },
      )
    },

    runNow: ({ digestId, person, request, seen }) =>
      updateDigest(
        deps,
        { digestId, person },
        {
          findRefusal: async digest =>
            (await findTargetRefusal(deps.canReceive, digest)) ??
            (await deps.limit({ person, team: digest.team })),
          change: async ({ team }, tx) => {
            const at = deps.now()
            const last = await deps.lastByHand(digestId, tx)
            if (last && isSameRun(last, at, seen)) return {}
            for (const scheduledFor of [at, new Date(at.getTime() + 1)]) {
              const run = {
                digestId,
                scheduledFor,
                kind: 'by-hand',
                missed: 1,
                request,
                runBy: person,
                claimedAt: at,
              } as const
              // A due time can be in the same millisecond.
              if (!(await deps.insertRun({ ...run, ended: null }, tx))) continue
              const job = { digestId, scheduledFor: scheduledFor.toISOString() }
              await deps.sendJob('digest', job, { tx, group: team })
              break
            }
            return {}
          },
        },
      ),

    decideRepair: ({ digestId, person, decision, proposedAt }) =>
      updateDigest(
        deps,
        { digestId, person },
        {
          change: async digest => {
            const { repair } = digest
            if (repair?.proposedAt.getTime() !== proposedAt.getTime()) return { status: 'gone' }
            if (decision === 'refuse') return { repair: null }
            const { questionId } = repair
            const statement = decision === 'accept' ? repair.statement : (repair.other?.statement ?? null)
            if (!statement)
              return {
                status: 'unfit',
                field: 'question',
                reason: 'I found no repair. Remove the question, and add its answer again once it works.',
              }
            const questions = digest.questions.map(question =>
              question.id === questionId ? { ...question, statement } : question,
            )
            const isWaiting = digest.pause?.why === 'schema'
            return { questions, repair: null, ...(isWaiting && running(digest)) }
          },
        },
      ),
  }
}

/** Shown to the person who changes the owner; the refusal itself is worded for the new owner. */
const unknownAccess: DigestRefusal = {
  status: 'not-allowed',
  reason: 'Slack did not tell me what they can see.',
  nextStep: 'Try again in a minute.',
}

/** Whether the requested manual run already exists. A finished run the person has seen does not count. */
const isSameRun = (
  { scheduledFor, claimedAt, ended }: DigestRun,
  at: Date,
  seen: Date | null | undefined,
): boolean => {
  if (seen?.getTime() === scheduledFor.getTime()) return false
  return !ended || (seen !== undefined && at.getTime() - claimedAt.getTime() < DOUBLE_CLICK_MS)
}
