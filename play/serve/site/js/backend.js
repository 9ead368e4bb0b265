// Where the page of a static site gets its answers: from the program in its workers.
export { connect } from './wasm.js';
