import type { Click } from '../shapes/interaction.ts'
import type { Block } from '../shapes/message.ts'

/** An element of a block that can be used: a button, a menu, a choice. */
export interface Element {
  readonly type: string
  readonly action_id: string
  readonly [field: string]: unknown
}

/** An element, and which of its choices was meant. */
export interface FoundElement {
  readonly blockId: string
  readonly element: Element
  readonly choices: readonly string[]
}

/** Finds what was clicked by its action id or by what it says. Null if there is no such element. */
export const findElement = (
  blocks: readonly Block[],
  { actionId, label, choice }: Pick<Click, 'actionId' | 'label' | 'choice'>,
): FoundElement | null => {
  const choices = choice === undefined ? [] : typeof choice === 'string' ? [choice] : choice
  for (const block of blocks) {
    for (const element of elementsOf(block)) {
      const blockId = String(block.block_id ?? '')
      if (actionId !== undefined && element.action_id === actionId) return { blockId, element, choices }
      const part = label === undefined ? null : partNamed(element, label)
      if (part !== null) return { blockId, element, choices: part === '' ? choices : [part] }
    }
  }
  return null
}

/** All elements of a block. */
export const elementsOf = (block: Block): Element[] =>
  [...asList(block.elements), block.accessory, block.element].filter(isElement)

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && 'action_id' in value && 'type' in value

/** The choice with these words; '' if they name the element itself, null if it has no such words. */
const partNamed = (element: Element, label: string): string | null => {
  if (element.type === 'feedback_buttons') {
    if (says(element.positive_button, label)) return 'positive'
    return says(element.negative_button, label) ? 'negative' : null
  }
  if (says(element, label)) return ''
  const option = asList(element.options).find(option => says(option, label))
  return option ? String((option as { readonly value: unknown }).value) : null
}

const says = (thing: unknown, label: string): boolean => {
  const { text, accessibility_label } = thing as {
    readonly text?: { readonly text?: unknown }
    readonly accessibility_label?: unknown
  }
  return text?.text === label || accessibility_label === label
}
