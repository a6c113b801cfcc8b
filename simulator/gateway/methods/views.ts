import type { Trigger } from '../../interactions/make-triggers.ts'
import { viewFields } from '../../interactions/view-fields.ts'
import { judgeView } from '../../messaging/judge-view.ts'
import type { GivenView, OpenView } from '../../shapes/view.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, type ApiParams, refuse } from '../api-method.ts'

/** The four `views.*` methods. Modals and Home tabs are kept here, because the page must show them. */
export const makeViewMethods = (
  workspace: Workspace,
): {
  readonly open: ApiMethod
  readonly push: ApiMethod
  readonly update: ApiMethod
  readonly publish: ApiMethod
} => {
  const { views, triggers, people } = workspace
  const answer = (view: OpenView) => ({ ok: true, view: viewFields(view, workspace) })

  /** The view of a call; an invalid one is recorded and refused. */
  const read = (method: string, params: ApiParams, type: GivenView['type']) => {
    const judged = judgeView(params.view, type)
    if ('view' in judged) return judged
    const { problems } = judged
    const at = workspace.now().getTime()
    workspace.problems.add({ at, method, error: 'invalid_arguments', problems, sent: params.view })
    return { refusal: refuse('invalid_arguments', problems) }
  }
  const exchange = (params: ApiParams): Trigger | string =>
    triggers.exchange(String(params.trigger_id ?? params.interactivity_pointer ?? ''))

  return {
    open: async params => {
      const given = read('views.open', params, 'modal')
      if ('refusal' in given) return given.refusal
      const trigger = exchange(params)
      if (typeof trigger === 'string') return refuse(trigger)
      return answer(views.open(trigger.person, given.view))
    },
    push: async params => {
      const given = read('views.push', params, 'modal')
      if ('refusal' in given) return given.refusal
      const trigger = exchange(params)
      if (typeof trigger === 'string') return refuse(trigger)
      if (trigger.viewId === null || !views.find(trigger.viewId)) return refuse('view_not_found')
      const pushed = views.push(trigger.person, given.view)
      return pushed ? answer(pushed) : refuse('push_limit_reached')
    },
    update: async params => {
      const known =
        views.find(String(params.view_id ?? '')) ?? views.findByExternalId(String(params.external_id ?? ' '))
      if (!known) return refuse('not_found')
      const given = read('views.update', params, known.view.type)
      if ('refusal' in given) return given.refusal
      if (params.hash && params.hash !== known.hash) return refuse('hash_conflict')
      const updated = views.update(known.id, given.view)
      return updated ? answer(updated) : refuse('not_found')
    },
    publish: async params => {
      const given = read('views.publish', params, 'home')
      if ('refusal' in given) return given.refusal
      const person = people.find(person => person.id === params.user_id)
      if (!person) return refuse('user_not_found')
      const known = views.home(person.id)
      if (params.hash && known && params.hash !== known.hash) return refuse('hash_conflict')
      return answer(views.publish(person.id, given.view))
    },
  }
}
