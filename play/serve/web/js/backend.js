// Where this page gets its answers: from the server that it came from.
import { APIClient } from './client.js';

export function connect() {
  return new APIClient('api/v1');
}
