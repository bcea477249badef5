use client_rs_machinery as _;
