/** How an agent goes about a question (BAPPA, section 3.1): its name in the trace, and what its prompt says of it. */
export interface Persona {
  readonly name: 'simple' | 'technical' | 'thinker'
  readonly text: string
}

export const personas: readonly [Persona, Persona, Persona] = [
  {
    name: 'simple',
    text: 'You look for the shortest statement that answers the question, and explain it in a few words.',
  },
  {
    name: 'technical',
    text: 'You go into every technical detail: keys, types, NULL, repeated rows, and what each clause does to them.',
  },
  {
    name: 'thinker',
    text: 'You weigh at least two different ways to answer before you settle on one, and say why the others lose.',
  },
]
