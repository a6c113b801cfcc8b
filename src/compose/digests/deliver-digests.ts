import { formatCsv } from '../../app/answers/write-csv.ts'
import { findChartShape } from '../../charts/choose-chart.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import type { DigestDelivery } from '../../core/digest-delivery.ts'
import type { Log } from '../../core/log.ts'
import { makeUpdateMessage } from '../../slack/delivery/change-message.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makeDigestDelivery } from '../../slack/delivery/make-digest-delivery.ts'
import { routeDigests } from '../slack/route-by-team.ts'
import { type CredentialsOf, perTeam } from '../slack/slack-doors.ts'
import type { OwnStore } from '../store/open-own-store.ts'

/** Wires the delivery of digests into Slack. */
export const makeTeamDigestDelivery = (deps: {
  readonly doorOf: CredentialsOf
  readonly own: Pick<OwnStore, 'store'>
  readonly now: () => Date
  readonly log: Log
}): DigestDelivery => {
  const { doorOf, now, log } = deps
  const of = perTeam(doorOf, door => {
    const client = makeSlackClient(door)
    return makeDigestDelivery({
      client,
      // A job that fails is tried again, and looks first: it need not wait here for a limit to pass.
      poster: makeSlackClient({ ...door, retries: 0, failWhenLimited: true }),
      messages: deps.own.store.repositories.digestMessages,
      change: makeUpdateMessage({ client, log }),
      findShape: findChartShape,
      drawChart,
      writeCsv: formatCsv,
      now,
      log,
    })
  })
  return routeDigests(of)
}
