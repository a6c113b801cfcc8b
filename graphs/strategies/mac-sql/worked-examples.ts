/** Worked examples for the decomposer, of a made-up ferry company, the easier one first. */
const examples = [
  `Schema:
# Table: boats
[
(boat_id:INTEGER, Primary Key),
(name:TEXT, Examples: ['Alma', 'Brise']),
(seats:INTEGER, Range: [12 to 400])
]
Question: How many boats have more than 100 seats?
Answer:
{"steps": [{"question": "How many boats have more than 100 seats?", "sql": "SELECT COUNT(*) FROM boats WHERE seats > 100"}], "sql": "SELECT COUNT(*) FROM boats WHERE seats > 100", "missing": "", "assumptions": []}`,
  `Schema:
# Table: boats
[
(boat_id:INTEGER, Primary Key),
(name:TEXT, Examples: ['Alma', 'Brise']),
(seats:INTEGER, Range: [12 to 400])
]
# Table: crossings
[
(crossing_id:INTEGER, Primary Key),
(boat_id:INTEGER),
(left_at:TIMESTAMP),
(passengers:INTEGER, Range: [0 to 391])
]
Foreign keys: crossings.boat_id=boats.boat_id
Question: Which boats were on average fuller than the whole fleet, fullest first?
Answer:
{"steps": [{"question": "How full was each crossing?", "sql": "SELECT c.boat_id, 1.0 * c.passengers / b.seats AS fill FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id"}, {"question": "How full was the whole fleet on average?", "sql": "SELECT AVG(1.0 * c.passengers / b.seats) FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id"}, {"question": "Which boats were on average fuller than the whole fleet, fullest first?", "sql": "SELECT b.name FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id GROUP BY b.boat_id, b.name HAVING AVG(1.0 * c.passengers / b.seats) > (SELECT AVG(1.0 * c.passengers / b.seats) FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id) ORDER BY AVG(1.0 * c.passengers / b.seats) DESC"}], "sql": "SELECT b.name FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id GROUP BY b.boat_id, b.name HAVING AVG(1.0 * c.passengers / b.seats) > (SELECT AVG(1.0 * c.passengers / b.seats) FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id) ORDER BY AVG(1.0 * c.passengers / b.seats) DESC", "missing": "", "assumptions": ["a boat's fullness is the mean over its crossings"]}`,
] as const

/** The first so many examples, the hardest last; empty for none. */
export const workedExamples = (shots: number): string => examples.slice(0, shots).join('\n\n')
