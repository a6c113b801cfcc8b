import type { AllMiddlewareArgs, SlackEventMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { HomeFacts } from '../../domain/home.ts'
import type { LayerProposal } from '../../domain/metrics/layer-decision.ts'
import type { ResolveStaleResult } from '../../domain/verified-query.ts'
import { noticeModal } from '../block-kit/modal.ts'
import { cannotKeep, otherQueryTakenText } from '../copy/answer-actions.ts'
import { homeNotes, proposalForm } from '../copy/home.ts'
import {
  alreadyDecidedText,
  clickFailedText,
  formFailedText,
  noDirectMessagesText,
  withNextStep,
} from '../copy/phrases.ts'
import { sendDirectMessage } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { findField } from '../views/digests/form.ts'
import { digestsPerPage, type HomeDigests, homeView } from '../views/home.ts'
import { proposalFormIds, proposalModal, readProposalKey } from '../views/home-admin.ts'
import { readStalenessKey } from '../views/verified-query.ts'
import { askOnBehalf, doubleClickKeys, tsToDate } from './ask-on-behalf.ts'
import { type Background, type ButtonClickArgs, type FormOutcome, finishForm } from './clicks-and-forms.ts'
import type { SuggestPrompts } from './suggest-prompts.ts'

/**
 * A person opened our Home tab, or their direct messages with us. What is shown may take longer to collect than Slack
 * waits.
 */
export const makeAppHomeOpened =
  (showHome: ShowHome, suggestPrompts: SuggestPrompts, background: Background) =>
  async ({
    event,
    body,
    client,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    const asker = { person: event.user, team: body.team_id }
    if (event.tab === 'home') background.run('showing Home', () => showHome(client, asker))
    else background.run('suggesting questions', () => suggestPrompts(client, asker, event.channel))
  }

const findWorkspaceUrl = async (client: WebClient): Promise<string | null> => {
  const { url } = await client.auth.test()
  return url ?? null
}

/**
 * Publishes a person's Home tab as it is now, with a note on what was just done. `digestsFrom`: the offset of the first
 * digest that is shown.
 */
type ShowHome = (
  client: WebClient,
  asker: { readonly person: string; readonly team: string },
  note?: string,
  digestsFrom?: number,
) => Promise<void>

/** What listeners need to show App Home after a click. */
export interface HomeListenerDeps {
  readonly showHome: ShowHome
  readonly background: Background
}

/** The address of each workspace is looked up once; without it there are no links. */
export const makeShowHome = ({
  describeHome,
  digests,
  isAdmin,
}: Pick<SlackUseCases, 'describeHome' | 'digests' | 'isAdmin'>): ShowHome => {
  const workspaceUrls = new Map<string, Promise<string | null>>()
  const findUrl = (client: WebClient, team: string): Promise<string | null> => {
    const known = workspaceUrls.get(team)
    if (known) return known
    const asked = findWorkspaceUrl(client).catch(() => {
      workspaceUrls.delete(team)
      return null
    })
    workspaceUrls.set(team, asked)
    return asked
  }
  const listDigests = async (
    asker: { readonly person: string; readonly team: string },
    offset: number,
  ): Promise<HomeDigests> => {
    const all = isAdmin(asker.person)
    const listed = await digests.list({ ...asker, all, offset, limit: digestsPerPage })
    // The last digest of a page may just have been deleted.
    return listed.digests.length === 0 && offset > 0
      ? listDigests(asker, Math.max(0, offset - digestsPerPage))
      : { ...listed, offset, all }
  }
  return async (client, asker, note, digestsFrom = 0) => {
    const [facts, url, shownDigests] = await Promise.all([
      describeHome(asker),
      findUrl(client, asker.team),
      listDigests(asker, digestsFrom),
    ])
    const publish = async (shown: HomeFacts): Promise<void> => {
      const view = homeView(shown, {
        workspaceUrl: url,
        digests: shownDigests,
        ...(note !== undefined && { note }),
      })
      await client.views.publish({ user_id: asker.person, view: view as unknown as View })
    }
    await publish(facts)
    if (facts.isPartial) await publish(await describeHome(asker, { patient: true }))
  }
}

/** Does something for the person who clicked, then shows the tab again with a note. A null note shows nothing. */
const onHomeClick =
  (
    what: string,
    act: (given: {
      readonly person: string
      readonly team: string
      readonly value: string
      readonly client: ButtonClickArgs['client']
      readonly clickedAt: string
    }) => Promise<string | null>,
    { showHome, background }: HomeListenerDeps,
    /** Stores what must survive the acknowledgement; false if there is nothing to do. */
    before: (given: {
      readonly person: string
      readonly team: string
      readonly value: string
      readonly clickedAt: string
    }) => Promise<boolean> = async () => true,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const { value, action_ts: clickedAt } = action
    const hasWork = Boolean(value && team) && (await before({ person, team, value: value ?? '', clickedAt }))
    await ack()
    if (!hasWork || !value) return
    const show = (note: string): Promise<void> => showHome(client, { person, team }, note)
    background.run(what, async () => {
      const note = await act({ person, team, value, client, clickedAt }).catch(async (error: unknown) => {
        await show(clickFailedText)
        throw error
      })
      if (note !== null) await show(note)
    })
  }

/** An example question: asked in the direct messages of the person who clicked. */
export const makeHomeExampleClick = (
  useCases: Pick<SlackUseCases, 'ask' | 'findAskRefusal' | 'pendingQuestions'>,
  home: HomeListenerDeps,
) =>
  onHomeClick(
    'asking an example of Home',
    async ({ person, team, value, client, clickedAt }) => {
      const opened = await client.conversations.open({ users: person })
      const channel = opened.channel?.id
      if (!channel) return noDirectMessagesText
      const key = homeKey(person, clickedAt)
      const asked = await askOnBehalf(useCases, client, { key, person, team, channel, text: value }).catch(
        async (error: unknown) => {
          // The person is told and can click again; nothing is asked without them.
          await useCases.pendingQuestions.close(key)
          throw error
        },
      )
      if (asked.status === 'not-allowed') await useCases.pendingQuestions.close(key)
      return asked.status === 'not-allowed' ? withNextStep(asked) : homeNotes.asked
    },
    home,
    ({ person, team, value: text, clickedAt }) =>
      useCases.pendingQuestions.add(
        { key: homeKey(person, clickedAt), person, team, channel: null, text },
        doubleClickKeys({ person, where: `home ${team}`, text }, tsToDate(clickedAt)),
      ),
  )

const homeKey = (person: string, clickedAt: string): string => `home ${person} ${clickedAt}`

/** `Accept` and `Reject` on a proposed rule. */
export const makeHomeRuleClick = (
  status: 'accepted' | 'rejected',
  { decideRule, isAdmin }: Pick<SlackUseCases, 'decideRule' | 'isAdmin'>,
  home: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding a proposed rule',
    async ({ person, value }) => {
      if (!isAdmin(person)) return homeNotes.adminsOnly
      const rule = await decideRule({ id: value, status, by: person })
      return rule ? homeNotes.rule(status) : homeNotes.ruleGone
    },
    home,
  )

/** `Accept` and `Reject` on a proposed metric or segment. */
export const makeHomeProposalClick = (
  status: 'accepted' | 'rejected',
  {
    findProposal,
    decideProposal,
    isAdmin,
  }: Pick<SlackUseCases, 'findProposal' | 'decideProposal' | 'isAdmin'>,
  home: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding about a proposal',
    async ({ person, team, value }) => {
      if (!isAdmin(person)) return homeNotes.adminsOnly
      const key = readProposalKey(value)
      const shown = key && (await findProposal(key, { person, team }))
      if (key === null || shown === null) return homeNotes.proposalGone
      const decided = await decideProposal({ ...key, decision: { status }, by: person })
      switch (decided.status) {
        case 'decided':
          return homeNotes.proposal(shown.label, status)
        case 'gone':
          return homeNotes.proposalGone
        case 'taken':
          return homeNotes.labelTaken(shown.label)
        default: {
          const never: never = decided
          return never
        }
      }
    },
    home,
  )

/** `Edit` on a proposed metric or segment: its words in a form. */
export const makeHomeProposalEdit =
  (
    { findProposal, isAdmin }: Pick<SlackUseCases, 'findProposal' | 'isAdmin'>,
    { showHome }: HomeListenerDeps,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const asker = { person: body.user.id, team: body.team?.id ?? body.user.team_id ?? '' }
    const key = readProposalKey(action.value ?? '')
    if (!isAdmin(asker.person)) await showHome(client, asker, homeNotes.adminsOnly)
    else {
      const proposal = key && (await findProposal(key, asker))
      if (proposal)
        await client.views.open({ trigger_id: body.trigger_id, view: proposalModal(proposal) as View })
      else await showHome(client, asker, homeNotes.proposalGone)
    }
  }

/** The form of `Edit` on a proposal, submitted: it is accepted under these words. */
export const makeHomeProposalSubmitted =
  (
    {
      findProposal,
      decideProposal,
      isAdmin,
    }: Pick<SlackUseCases, 'findProposal' | 'decideProposal' | 'isAdmin'>,
    { showHome, background }: HomeListenerDeps,
  ) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view, client } = args
    const asker = { person: body.user.id, team: body.team?.id ?? body.user.team_id ?? '' }
    const key = readProposalKey(view.private_metadata)
    if (key === null || !isAdmin(asker.person)) {
      await ack()
      return
    }
    const text = (block: string): string => findField(view.state.values, block)?.value?.trim() ?? ''
    const words = {
      label: text(proposalFormIds.label),
      synonyms: text(proposalFormIds.synonyms)
        .split(',')
        .flatMap(word => word.trim().toLowerCase() || []),
    }
    const refused = (problem: string, proposal: LayerProposal | null): FormOutcome => ({
      status: 'refused',
      errors: { [proposalFormIds.label]: problem },
      reopened:
        proposal === null
          ? noticeModal({ title: proposalForm.title, text: problem })
          : proposalModal(proposal, words),
      problem,
    })
    const decide = async (): Promise<FormOutcome> => {
      const proposal = await findProposal(key, asker)
      if (words.label === '') return refused(proposalForm.noLabel, proposal)
      const decided = await decideProposal({
        ...key,
        decision: { status: 'accepted', words },
        by: asker.person,
      })
      if (decided.status === 'taken') return refused(homeNotes.labelTaken(decided.label), proposal)
      const note =
        decided.status === 'gone' ? homeNotes.proposalGone : homeNotes.proposal(decided.label, 'accepted')
      return {
        status: 'done',
        ifQuick: null,
        ifSlow: noticeModal({ title: proposalForm.title, text: note }),
        afterwards: () => showHome(client, asker, note),
      }
    }
    await finishForm(args, background, {
      what: 'accepting a proposal under other words',
      work: decide().catch(() => refused(formFailedText, null)),
      running: noticeModal(proposalForm.running),
      notify: problem =>
        sendDirectMessage(client, asker.person, proposalForm.notAccepted(words.label, problem)),
    })
  }

/** `Accept` and `Reject` on a proposed verified query. */
export const makeHomeProposedQueryClick = (
  decision: 'accept' | 'remove',
  { decideVerified, isAdmin }: Pick<SlackUseCases, 'decideVerified' | 'isAdmin'>,
  home: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding about a proposed verified query',
    async ({ person, value }) => {
      if (!isAdmin(person)) return homeNotes.adminsOnly
      const decided = await decideVerified({ queryId: value, decision, by: person })
      if (decided === 'taken') return homeNotes.queryTaken
      if (decided === null) return homeNotes.queryGone
      return decision === 'accept' ? homeNotes.queryAccepted : homeNotes.queryRejected
    },
    home,
  )

/** `Keep` and `Remove` on a stale verified query. Keeping runs it first. */
export const makeHomeStaleQueryClick = (
  decision: 'keep' | 'remove',
  { resolveStaleVerified, isAdmin }: Pick<SlackUseCases, 'resolveStaleVerified' | 'isAdmin'>,
  home: HomeListenerDeps,
) =>
  onHomeClick(
    'settling a verified query',
    async ({ person, team, value }) => {
      const key = readStalenessKey(value)
      if (!isAdmin(person)) return homeNotes.adminsOnly
      const given = { decision, by: person, team, ownerOnly: false } as const
      return key && formatSettled(await resolveStaleVerified({ key, ...given }))
    },
    home,
  )

/** A job measures and indexes a database again, and updates the tab when it is done. The old index serves meanwhile. */
export const makeHomeRebuildClick = (
  { rebuildIndex, isAdmin }: Pick<SlackUseCases, 'rebuildIndex' | 'isAdmin'>,
  { showHome, background }: HomeListenerDeps,
) => {
  /** The outcome of each click that is not acknowledged yet. */
  const outcomes = new Map<string, Awaited<ReturnType<typeof rebuildIndex>>['status']>()
  const keyOf = ({ person, clickedAt }: { readonly person: string; readonly clickedAt: string }): string =>
    `${person} ${clickedAt}`
  return onHomeClick(
    'rebuilding an index',
    async ({ person, value, clickedAt }) => {
      const key = keyOf({ person, clickedAt })
      const status = outcomes.get(key) ?? 'not-admin'
      outcomes.delete(key)
      switch (status) {
        case 'begun':
          return homeNotes.rebuilding(value)
        case 'not-admin':
          return homeNotes.adminsOnly
        case 'unknown':
          return homeNotes.unknownDatabase(value)
        default: {
          const never: never = status
          return never
        }
      }
    },
    { showHome, background },
    async ({ person, team, value, clickedAt }) => {
      if (!isAdmin(person)) return true
      const { status } = await rebuildIndex({ database: value, by: { person, team } })
      outcomes.set(keyOf({ person, clickedAt }), status)
      return true
    },
  )
}

const formatSettled = (settled: ResolveStaleResult): string => {
  switch (settled.status) {
    case 'kept':
      return homeNotes.queryKept
    case 'removed':
      return homeNotes.queryRemoved
    case 'settled':
      return alreadyDecidedText
    case 'unfit':
      return cannotKeep(settled.reason)
    case 'taken':
      return cannotKeep(otherQueryTakenText)
    case 'not-theirs':
      return homeNotes.adminsOnly
    default: {
      const never: never = settled
      return never
    }
  }
}

/** `Retry` and `Discard` on a job that failed for good. */
export const makeHomeJobClick = (
  decision: 'retry' | 'drop',
  { failedJobs, isAdmin }: Pick<SlackUseCases, 'failedJobs' | 'isAdmin'>,
  home: HomeListenerDeps,
) =>
  onHomeClick(
    'deciding on a job that failed',
    async ({ person, value }) => {
      if (!isAdmin(person)) return homeNotes.adminsOnly
      if (decision === 'drop')
        return (await failedJobs.drop(value)) ? homeNotes.jobDiscarded : homeNotes.jobGone
      return (await failedJobs.retry(value)) ? homeNotes.jobRetried : homeNotes.jobGone
    },
    home,
  )

/** `Previous` and `Next`: another page of digests in App Home. */
export const makeHomeDigestsPage =
  ({ showHome, background }: HomeListenerDeps) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const team = body.team?.id ?? body.user.team_id ?? ''
    if (!/^\d{1,6}$/.test(action.value ?? '') || !team) return
    const from = Number(action.value)
    background.run('turning a page of Home', () =>
      showHome(client, { person: body.user.id, team }, undefined, from),
    )
  }
