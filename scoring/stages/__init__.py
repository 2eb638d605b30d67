"""Stages: who goes on from one (予選) to the next (決勝), with which points, and all places.

The game's rules say nothing of stages: the tournament's director chooses everything beforehand.
`selection` returns who goes on, `places` the places in each stage and over all stages.
"""
