import { randomBytes } from 'node:crypto'
import type { GivenView, OpenView } from '../shapes/view.ts'

/** Slack stacks at most three modals. */
const DEEPEST = 3

/** Modals that are open, one stack a person, and Home tabs that are published. */
export interface Views {
  open(person: string, view: GivenView): OpenView
  /** Null if the stack is full. */
  push(person: string, view: GivenView): OpenView | null
  update(id: string, view: GivenView): OpenView | null
  publish(person: string, view: GivenView): OpenView
  find(id: string): OpenView | null
  findByExternalId(externalId: string): OpenView | null
  /** The topmost modal of a person. */
  top(person: string): OpenView | null
  home(person: string): OpenView | null
  /** Closes the topmost modal, or all of them; returns those it closed, topmost first. */
  close(person: string, all: boolean): readonly OpenView[]
  /** Stores what was chosen in an element that sends its action at once. */
  choose(id: string, blockId: string, actionId: string, value: Readonly<Record<string, unknown>>): void
}

export const makeViews = (changed: () => void): Views => {
  const stacks = new Map<string, OpenView[]>()
  const homes = new Map<string, OpenView>()
  const stackOf = (person: string): OpenView[] => stacks.get(person) ?? []
  const all = (): OpenView[] => [...homes.values(), ...[...stacks.values()].flat()]
  const find = (id: string): OpenView | null => all().find(view => view.id === id) ?? null

  const make = (person: string, view: GivenView, below: OpenView | null): OpenView => {
    const id = newId('V')
    return {
      id,
      person,
      hash: newHash(),
      rootId: below?.rootId ?? id,
      previousId: below?.id ?? null,
      view,
      state: {},
    }
  }
  const replace = (after: OpenView): OpenView => {
    if (homes.get(after.person)?.id === after.id) homes.set(after.person, after)
    stacks.set(
      after.person,
      stackOf(after.person).map(view => (view.id === after.id ? after : view)),
    )
    changed()
    return after
  }

  return {
    open: (person, view) => {
      const opened = make(person, view, null)
      stacks.set(person, [opened])
      changed()
      return opened
    },
    push: (person, view) => {
      const stack = stackOf(person)
      if (stack.length >= DEEPEST) return null
      const pushed = make(person, view, stack.at(-1) ?? null)
      stacks.set(person, [...stack, pushed])
      changed()
      return pushed
    },
    update: (id, view) => {
      const before = find(id)
      return before ? replace({ ...before, view, hash: newHash() }) : null
    },
    publish: (person, view) => {
      const before = homes.get(person)
      const published = before ? { ...before, view, hash: newHash() } : make(person, view, null)
      homes.set(person, published)
      changed()
      return published
    },
    find,
    findByExternalId: externalId => all().find(view => view.view.external_id === externalId) ?? null,
    top: person => stackOf(person).at(-1) ?? null,
    home: person => homes.get(person) ?? null,
    close: (person, everything) => {
      const stack = stackOf(person)
      const clears = everything || stack.at(-1)?.view.clear_on_close === true
      stacks.set(person, clears ? [] : stack.slice(0, -1))
      changed()
      return clears ? stack.toReversed() : stack.slice(-1)
    },
    choose: (id, blockId, actionId, value) => {
      const before = find(id)
      if (!before) return
      const state = { ...before.state, [blockId]: { ...before.state[blockId], [actionId]: value } }
      replace({ ...before, state })
    },
  }
}

const newId = (prefix: string): string => `${prefix}0${randomBytes(5).toString('hex').toUpperCase()}`

const newHash = (): string => `${Date.now()}.${randomBytes(4).toString('hex')}`
