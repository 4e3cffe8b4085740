// The function that calls.cl calls.
int from_elsewhere(int value) { return value * 10; }
