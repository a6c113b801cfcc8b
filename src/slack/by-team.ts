import type { AccessControl } from '../domain/access/access.ts'
import type { DigestDelivery } from '../domain/digests/digest.ts'
import type { ReviewChannel } from '../domain/feedback.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { ShowChart } from './delivery/answer-message.ts'
import type { SlackCredentials } from './delivery/client.ts'
import type { RefusedBlocks } from './delivery/refused-blocks.ts'

/** The Slack credentials of a workspace: the same object for the same workspace. */
export type CredentialsOf = (team: string) => SlackCredentials

/** Which kinds of blocks a workspace refuses. */
export type RefusedBy = (credentials: SlackCredentials) => RefusedBlocks

/**
 * One value per workspace, created on first use and dropped with its credentials: nothing of one workspace, such as a
 * token or a fact about a person, can reach another.
 */
export const perCredentials = <T>(
  make: (credentials: SlackCredentials) => T,
): ((credentials: SlackCredentials) => T) => {
  const made = new WeakMap<SlackCredentials, T>()
  return credentials => {
    const known = made.get(credentials)
    if (known !== undefined) return known
    const fresh = make(credentials)
    made.set(credentials, fresh)
    return fresh
  }
}

/** The same for those who know the workspace by its id. */
export const perTeam = <T>(
  credentialsOf: CredentialsOf,
  make: (credentials: SlackCredentials) => T,
): ((team: string) => T) => {
  const of = perCredentials(make)
  return team => of(credentialsOf(team))
}

/** The workspace of a question; null if the question is gone or was not asked in Slack. */
export type TeamOfQuestion = (questionId: string) => Promise<string | null>

/** With a single workspace, all questions belong to it and nothing is looked up. */
export const makeTeamOfQuestion =
  (
    { only }: { readonly only: SlackCredentials | null },
    findPlaced: (questionId: string) => Promise<LocatedQuestion | null>,
  ): TeamOfQuestion =>
  async questionId =>
    only ? '' : ((await findPlaced(questionId))?.location.team ?? null)

/** Permissions depend on what Slack says in the location's workspace. */
export const routeAccess = (of: (team: string) => AccessControl): AccessControl => ({
  mayAsk: (asker, options) => of(asker.location.team).mayAsk(asker, options),
  canReview: (asker, options) => of(asker.location.team).canReview(asker, options),
  audience: (answer, options) => of(answer.team).audience(answer, options),
  databaseAccess: (asker, options) => of(asker.team).databaseAccess(asker, options),
  rightsFingerprint: asker => of(asker.location.team).rightsFingerprint(asker),
  reachableDatabases: asker => of(asker.team).reachableDatabases(asker),
})

/** Questions are answered in the workspace they were asked in; deleted ones have nothing to show. */
export const routeDelivery = (of: (team: string) => Delivery, teamOf: TeamOfQuestion): Delivery => {
  const inTeamOf = async (questionId: string, act: (delivery: Delivery) => Promise<void>): Promise<void> => {
    const team = await teamOf(questionId)
    if (team !== null) await act(of(team))
  }
  return {
    acknowledge: location => of(location.team).acknowledge(location),
    begin: placed => of(placed.location.team).begin(placed),
    progress: (placed, event) => of(placed.location.team).progress(placed, event),
    settle: questionId => inTeamOf(questionId, delivery => delivery.settle(questionId)),
    finish: (placed, report) => of(placed.location.team).finish(placed, report),
    stopped: (placed, by) => of(placed.location.team).stopped(placed, by),
    refresh: questionId => inTeamOf(questionId, delivery => delivery.refresh(questionId)),
    share: placed => of(placed.location.team).share(placed),
    withhold: questionId => inTeamOf(questionId, delivery => delivery.withhold(questionId)),
    remove: questionId => inTeamOf(questionId, delivery => delivery.remove(questionId)),
  }
}

/** Shows charts in the question's workspace. */
export const routeCharts =
  (of: (team: string) => ShowChart, teamOf: TeamOfQuestion): ShowChart =>
  async questionId => {
    const team = await teamOf(questionId)
    return team === null ? 'no-chart' : of(team)(questionId)
  }

/** Reviews happen in the workspace of the answer. */
export const routeReviewChannel = (
  of: (team: string) => ReviewChannel,
  teamOf: TeamOfQuestion,
): ReviewChannel => {
  const reviewChannelOf = async ({
    questionId,
  }: {
    readonly questionId: string
  }): Promise<ReviewChannel | null> => {
    const team = await teamOf(questionId)
    return team === null ? null : of(team)
  }
  return {
    // A deleted answer needs no review, as the review channel itself would say.
    show: async request => (await reviewChannelOf(request))?.show(request) ?? true,
    notifyUnavailable: async request => (await reviewChannelOf(request))?.notifyUnavailable(request),
    notifyDecision: async request => (await reviewChannelOf(request))?.notifyDecision(request),
  }
}

/** Digests are posted in the workspace they were created in. */
export const routeDigests = (of: (team: string) => DigestDelivery): DigestDelivery => ({
  post: given => of(given.digest.team).post(given),
  notifyOwner: notice => of(notice.digest.team).notifyOwner(notice),
  withhold: run => of(run.team).withhold(run),
})
