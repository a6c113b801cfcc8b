import type { AccessControl } from '../../core/access.ts'
import type { Delivery } from '../../core/delivery.ts'
import type { DigestDelivery } from '../../core/digest-delivery.ts'
import type { ReviewChannel } from '../../core/human-request.ts'
import type { ShowChart } from '../../slack/delivery/show-chart.ts'
import type { TeamOfQuestion } from './slack-doors.ts'

/** Rights are judged by what Slack says in the workspace of the place. */
export const routeAccess = (of: (team: string) => AccessControl): AccessControl => ({
  mayAsk: (asker, options) => of(asker.place.team).mayAsk(asker, options),
  mayDecide: (asker, options) => of(asker.place.team).mayDecide(asker, options),
  rightsFingerprint: asker => of(asker.place.team).rightsFingerprint(asker),
  reachable: asker => of(asker.team).reachable(asker),
})

/** Questions are answered in the workspace that they were asked in; one that is gone has nothing to show. */
export const routeDelivery = (of: (team: string) => Delivery, teamOf: TeamOfQuestion): Delivery => {
  const inTeamOf = async (questionId: string, act: (delivery: Delivery) => Promise<void>): Promise<void> => {
    const team = await teamOf(questionId)
    if (team !== null) await act(of(team))
  }
  return {
    acknowledge: place => of(place.team).acknowledge(place),
    begin: placed => of(placed.place.team).begin(placed),
    progress: (placed, event) => of(placed.place.team).progress(placed, event),
    settle: questionId => inTeamOf(questionId, delivery => delivery.settle(questionId)),
    finish: (placed, report) => of(placed.place.team).finish(placed, report),
    stopped: (placed, by) => of(placed.place.team).stopped(placed, by),
    refresh: questionId => inTeamOf(questionId, delivery => delivery.refresh(questionId)),
    remove: questionId => inTeamOf(questionId, delivery => delivery.remove(questionId)),
  }
}

/** The same for charts. */
export const routeCharts =
  (of: (team: string) => ShowChart, teamOf: TeamOfQuestion): ShowChart =>
  async questionId => {
    const team = await teamOf(questionId)
    return team === null ? 'no-chart' : of(team)(questionId)
  }

/** People are asked to look at an answer in the workspace that it was given in. */
export const routeReviewChannel = (
  of: (team: string) => ReviewChannel,
  teamOf: TeamOfQuestion,
): ReviewChannel => {
  const deskOf = async ({ questionId }: { readonly questionId: string }): Promise<ReviewChannel | null> => {
    const team = await teamOf(questionId)
    return team === null ? null : of(team)
  }
  return {
    // What is gone needs nobody to look at it, as the desk itself says.
    show: async request => (await deskOf(request))?.show(request) ?? true,
    notifyUnavailable: async request => (await deskOf(request))?.notifyUnavailable(request),
    notifyDecision: async request => (await deskOf(request))?.notifyDecision(request),
  }
}

/** Digests are posted in the workspace that they were made in. */
export const routeDigests = (of: (team: string) => DigestDelivery): DigestDelivery => ({
  post: given => of(given.digest.team).post(given),
  notifyOwner: notice => of(notice.digest.team).notifyOwner(notice),
})
