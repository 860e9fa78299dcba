/** The command that starts the mock: a constant of the bundle. */
declare const START: string
